import { homedir } from 'node:os'
import { join } from 'node:path'
import { type Command, CommanderError } from 'commander'
import { HintgateError } from '../base/errors.ts'
import { findConfig } from '../config/resolve-path.ts'
import { createProgram } from './program.ts'
import { renderError } from './terminal/context.ts'
import { EXIT, endQuietlyWhenUnread } from './terminal/output.ts'

export async function main(argv: readonly string[]): Promise<void> {
  endQuietlyWhenUnread()
  const program = createProgram()
  exitWithUsage(program)
  try {
    await program.parseAsync(isFirstTime(argv) ? [...argv, 'demo'] : argv)
  } catch (error) {
    process.exitCode = explain(error)
  }
}

/** True for `hintgate` without a command or a config, as in `npx @hintgate/gateway`, which runs the demo. */
function isFirstTime(argv: readonly string[]): boolean {
  if (argv.length > 2) return false
  const home = join(homedir(), '.hintgate')
  return findConfig({ env: process.env, cwd: process.cwd(), home }) === undefined
}

/** Makes Commander throw on wrong usage. Commander would exit with 1, but Hintgate's exit code for wrong usage is 2. */
function exitWithUsage(command: Command): void {
  command.exitOverride()
  for (const child of command.commands) exitWithUsage(child)
}

function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.done : EXIT.usage
  if (error instanceof HintgateError) {
    process.stderr.write(renderError(error))
    return error.exit
  }
  process.stderr.write(`hintgate: ${error instanceof Error ? error.message : String(error)}\n`)
  if (process.env.HINTGATE_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`)
  return EXIT.failed
}
