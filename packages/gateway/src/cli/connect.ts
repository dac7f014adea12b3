import { Command } from 'commander'
import type { ConnectFlags } from './connect/connect-job.ts'
import { addPlaceOptions } from './terminal/context.ts'

const CLIENTS = 'claude-code, claude-desktop, codex, cursor, gemini, mcpproxy, vscode, windsurf'

const ABOUT = `
Clients: ${CLIENTS}.
Makes a token of its own for the client and adds the gateway to the client's config: over HTTP, or as a program where
the client knows nothing else. You see the change first; the file is backed up, and hintgate disconnect undoes it.
With --replace the client's own servers go behind the gateway, where their tools wait for review.

Examples:
  $ hintgate connect claude-code
  $ hintgate connect cursor --scope project --permissions retrieve_tools,read --yes

Exit codes: 0 done, or shown what would be done; 1 failed; 2 wrong usage or config.`

export function connectCommand(): Command {
  return addPlaceOptions(
    new Command('connect')
      .argument('<client>', 'which client')
      .description('point an MCP client at the gateway'),
  )
    .option(
      '--scope <scope>',
      'the file of the user, of the project in this folder, or local (default: user)',
    )
    .option('--name <name>', 'what the gateway is called there (default: hintgate)')
    .option('--url <url>', 'the address of the gateway (default: what the config says)')
    .option('--stdio', 'let the client start the gateway as a program')
    .option('--direct', 'show the client every tool instead of a few to find them with')
    .option('--replace', "move the client's own servers behind the gateway")
    .option(
      '--permissions <list>',
      'what its token may be used for (default: everything; destructive calls ask)',
    )
    .option('--servers <list>', 'servers its token may reach (default: *)')
    .option('--expires <when>', 'when its token ends: 30d, 12h or a date (default: never)')
    .option('-y, --yes', 'write without asking')
    .option('--json', 'print JSON')
    .addHelpText('after', ABOUT)
    .action(async (client: string, flags: ConnectFlags) =>
      (await import('./connect/run-connect.ts')).runConnect(client, flags),
    )
}
