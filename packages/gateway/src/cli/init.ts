import { Command } from 'commander'
import type { InitFlags } from './connect/run-init.ts'
import { addPlaceOptions } from './terminal/context.ts'

const ABOUT = `
Writes a config with comments: into this folder, or with --global into ~/.hintgate, where it counts from everywhere.
A config that is there is never written over. On a terminal it then offers to take over your clients' servers.

Examples:
  $ hintgate init
  $ hintgate init --global

Exit codes: 0 done, 1 failed, 2 wrong usage.`

export function initCommand(): Command {
  return addPlaceOptions(new Command('init').description('write a config to start from'))
    .option('-g, --global', "into Hintgate's own folder instead of this one")
    .option('--json', 'print JSON')
    .addHelpText('after', ABOUT)
    .action(async (flags: InitFlags) => (await import('./connect/run-init.ts')).runInit(flags))
}
