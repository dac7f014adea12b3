import { Command } from 'commander'
import type { StdioFlags } from './gateway/run-gateway.ts'
import { addPlaceOptions } from './terminal/context.ts'

const EXAMPLE = `
Example, as the command of a client:
  $ hintgate stdio --agent reporting-bot`

export function stdioCommand(): Command {
  return addPlaceOptions(new Command('stdio'))
    .description('the same gateway for a client that speaks stdio')
    .option('--agent <name>', 'act with the scope of this token (default: everything)')
    .option('--direct', 'every tool as server__tool, instead of tools to find and call them with')
    .option('--server <name>', 'one server with its own names')
    .option('--log-format <format>', 'text for people, json for programs')
    .addHelpText('after', EXAMPLE)
    .action(async (flags: StdioFlags) => (await import('./gateway/run-gateway.ts')).serveStdio(flags))
}
