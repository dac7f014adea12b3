import { homedir } from 'node:os'
import { join } from 'node:path'
import { Command, CommanderError } from 'commander'
import { findConfig } from '../config/find-config.ts'
import { HintgateError } from '../errors.ts'
import { approvalsCommand } from './approvals.ts'
import { auditCommand } from './audit.ts'
import { callCommand } from './call.ts'
import { completionCommand } from './completion.ts'
import { connectCommand } from './connect.ts'
import { consoleCommand } from './console.ts'
import { reportError } from './context.ts'
import { demoCommand } from './demo.ts'
import { disconnectCommand } from './disconnect.ts'
import { doctorCommand } from './doctor.ts'
import { EXIT } from './exit-codes.ts'
import { explainCommand } from './explain.ts'
import { importCommand } from './import.ts'
import { initCommand } from './init.ts'
import { lintCommand } from './lint.ts'
import { newCommand } from './new.ts'
import { endQuietlyWhenUnread } from './output.ts'
import { policyCommand } from './policy.ts'
import { serveCommand } from './serve.ts'
import { serversCommand } from './servers.ts'
import { sessionsCommand } from './sessions.ts'
import { stdioCommand } from './stdio.ts'
import { storeCommand } from './store.ts'
import { tokensCommand } from './tokens.ts'
import { toolsCommand } from './tools.ts'
import { version } from './version.ts'

/** The `hintgate` command: one file per subcommand. */
export async function main(argv: readonly string[]): Promise<void> {
  endQuietlyWhenUnread()
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
  exitWithUsage(program)
  try {
    await program.parseAsync(isFirstTime(argv) ? [...argv, 'demo'] : argv)
  } catch (error) {
    process.exitCode = explain(error)
  }
}

/** Somebody who has no config and says nothing wants to see what this is; `npx @hintgate/gateway` is that. */
function isFirstTime(argv: readonly string[]): boolean {
  if (argv.length > 2) return false
  const home = join(homedir(), '.hintgate')
  return findConfig({ env: process.env, cwd: process.cwd(), home }) === undefined
}

/** Commander ends the process with 1 on wrong usage; ours is 2, so it must throw instead. */
function exitWithUsage(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) exitWithUsage(child)
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  if (error instanceof HintgateError) return reportError(error)
  process.stderr.write(`hintgate: ${error instanceof Error ? error.message : String(error)}\n`)
  if (process.env.HINTGATE_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return EXIT.failed
}
