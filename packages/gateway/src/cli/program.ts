import { Command } from 'commander'
import * as gateway from './commands/gateway.ts'
import { completePlaceOptions } from './commands/kit.ts'
import * as records from './commands/records.ts'
import * as setUp from './commands/set-up.ts'
import * as tools from './commands/tools.ts'
import { version } from './terminal/context.ts'

/** Creates the `hintgate` command and its subcommands, in the order of the help text. */
export function createProgram(): Command {
  const program = new Command('hintgate')
    .description('Turns MCP tool annotations into enforced verdicts.')
    .version(version())
    .showHelpAfterError('(run with --help for usage and an example)')
    .addHelpText('after', '\nExample:\n  $ hintgate lint tools.json')
  const commands = [
    gateway.serveCommand(),
    gateway.stdioCommand(),
    setUp.initCommand(),
    setUp.importCommand(),
    setUp.connectCommand(),
    setUp.disconnectCommand(),
    setUp.serversCommand(),
    gateway.consoleCommand(),
    tools.toolsCommand(),
    tools.setsCommand(),
    tools.callCommand(),
    tools.lintCommand(),
    gateway.newCommand(),
    gateway.doctorCommand(),
    gateway.explainCommand(),
    records.policyCommand(),
    records.tokensCommand(),
    records.approvalsCommand(),
    records.sessionsCommand(),
    records.auditCommand(),
    records.storeCommand(),
    gateway.demoCommand(),
    gateway.completionCommand(),
  ]
  for (const command of commands) program.addCommand(command.copyInheritedSettings(program))
  completePlaceOptions(program)
  return program
}
