import { Argument, Command, Option } from 'commander'
import type { NewFlags } from './run/run-new.ts'

const ABOUT = `
Makes a folder with a working server, written with @hintgate/toolkit, and its tests; nothing needs to be built, and the
tests need nothing but Node. A folder that is there already is left as it is.

Examples:
  $ hintgate new tasks
  $ cd tasks && npm install && npm test

Exit codes: 0 done, 2 wrong usage, or the folder is there or cannot be made.`

export function newCommand(): Command {
  return new Command('new')
    .description('start an MCP server of your own: tools, hints and tests')
    .addArgument(new Argument('<name>', 'of the server, its package and its folder'))
    .addOption(
      new Option('--template <template>', 'what to start from').choices(['server']).default('server'),
    )
    .option('--json', 'print JSON')
    .addHelpText('after', ABOUT)
    .action(async (name: string, flags: NewFlags) => (await import('./run/run-new.ts')).runNew(name, flags))
}
