import { Command } from 'commander'
import { approvalsCommand } from './approvals.ts'
import { auditCommand } from './audit.ts'
import { callCommand } from './call.ts'
import { completionCommand } from './completion.ts'
import { connectCommand } from './connect.ts'
import { consoleCommand } from './console.ts'
import { demoCommand } from './demo.ts'
import { disconnectCommand } from './disconnect.ts'
import { doctorCommand } from './doctor.ts'
import { explainCommand } from './explain.ts'
import { importCommand } from './import.ts'
import { initCommand } from './init.ts'
import { lintCommand } from './lint.ts'
import { newCommand } from './new.ts'
import { policyCommand } from './policy.ts'
import { serveCommand } from './serve.ts'
import { serversCommand } from './servers.ts'
import { sessionsCommand } from './sessions.ts'
import { stdioCommand } from './stdio.ts'
import { storeCommand } from './store.ts'
import { completePlaceOptions } from './terminal/context.ts'
import { version } from './terminal/version.ts'
import { tokensCommand } from './tokens.ts'
import { toolsCommand } from './tools.ts'

/** The `hintgate` command with everything under it: one file per subcommand. */
export function createProgram(): Command {
  const program = new Command('hintgate')
    .description('Turns MCP tool annotations into enforced verdicts.')
    .version(version())
    .showHelpAfterError('(run with --help for usage and an example)')
    .addHelpText('after', '\nExample:\n  $ hintgate lint tools.json')
  const commands = [
    serveCommand(),
    stdioCommand(),
    initCommand(),
    importCommand(),
    connectCommand(),
    disconnectCommand(),
    serversCommand(),
    consoleCommand(),
    toolsCommand(),
    callCommand(),
    lintCommand(),
    newCommand(),
    doctorCommand(),
    explainCommand(),
    policyCommand(),
    tokensCommand(),
    approvalsCommand(),
    sessionsCommand(),
    auditCommand(),
    storeCommand(),
    demoCommand(),
    completionCommand(),
  ]
  for (const command of commands) program.addCommand(command.copyInheritedSettings(program))
  completePlaceOptions(program)
  return program
}
