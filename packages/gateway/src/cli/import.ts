import { Command } from 'commander'
import type { ImportFlags } from './connect/run-import.ts'
import { addPlaceOptions } from './terminal/context.ts'

const ABOUT = `
Clients: claude-code, claude-desktop, codex, cursor, gemini, mcpproxy, vscode, windsurf; all of them if none is named.
The clients' own files are only read. Secrets do not go into the config: what a client takes from the environment
comes from there here too (\${env:NAME}), everything else goes into a file that only you can read (\${file:…}).
Tools of imported servers wait for review. Without --yes nothing is written before you have said so.

Examples:
  $ hintgate import
  $ hintgate import claude-code cursor --yes

Exit codes: 0 done, or shown what would be done; 1 failed; 2 wrong usage or config.`

export function importCommand(): Command {
  return addPlaceOptions(
    new Command('import')
      .argument('[client...]', 'whose servers to take over (default: all that are found)')
      .description('take over the servers of your MCP clients'),
  )
    .option('--scope <scope>', 'only files of the user, of the project in this folder, or local ones')
    .option('-y, --yes', 'write without asking')
    .option('--json', 'print JSON')
    .addHelpText('after', ABOUT)
    .action(async (clients: string[], flags: ImportFlags) =>
      (await import('./connect/run-import.ts')).runImport(clients, flags),
    )
}
