import { Command } from 'commander'
import type { DisconnectFlags } from './connect/run-disconnect.ts'
import { addPlaceOptions } from './terminal/context.ts'

const ABOUT = `
Puts the client's config back, byte for byte, where nobody has changed it since; else takes out only our entry (and
puts back what --replace took). The client's token is revoked.

Example:
  $ hintgate disconnect claude-code

Exit codes: 0 done, or shown what would be done; 1 failed; 2 wrong usage or config.`

export function disconnectCommand(): Command {
  return addPlaceOptions(
    new Command('disconnect').argument('<client>', 'which client').description('undo hintgate connect'),
  )
    .option('--scope <scope>', 'user, project or local (default: all that are connected)')
    .option('-y, --yes', 'write without asking')
    .option('--json', 'print JSON')
    .addHelpText('after', ABOUT)
    .action(async (client: string, flags: DisconnectFlags) =>
      (await import('./connect/run-disconnect.ts')).runDisconnect(client, flags),
    )
}
