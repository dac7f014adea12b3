import { Command } from 'commander'
import type { ConsoleFlags } from './gateway/run-console.ts'
import { addPlaceOptions } from './terminal/context.ts'

const EXAMPLES = `
Examples:
  $ hintgate console
  $ hintgate console --role approver --name ada --no-open

The link works once and for ten minutes; whoever opens it stays signed in for twelve hours.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

export function consoleCommand(): Command {
  const command = new Command('console')
    .description('a link that opens the console, signed in')
    .option('--role <role>', 'what it may be used for: viewer, approver, operator or admin', 'admin')
    .option('--name <name>', 'who signs in (default: the user of this machine)')
    .option('--url <url>', 'where the gateway is (default: as the config says)')
    .option('--no-open', 'only print it')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(async (flags: ConsoleFlags) => {
      const { runConsole } = await import('./gateway/run-console.ts')
      await runConsole(flags)
    })
  return addPlaceOptions(command)
}
