import { Command } from 'commander'
import type { ServeFlags } from './gateway/run-gateway.ts'
import { addPlaceOptions } from './terminal/context.ts'

const EXAMPLE = `
Example:
  $ hintgate serve --config hintgate.json --listen 127.0.0.1:4428`

export function serveCommand(): Command {
  return (
    addPlaceOptions(new Command('serve'))
      .description('run the gateway')
      .option('-l, --listen <address>', 'host:port to listen on; port 0 takes a free one')
      .option('--behind-proxy', 'a proxy in front terminates TLS')
      .option('--log-format <format>', 'text for people, json for programs')
      .option(
        '--print-link',
        'print a link that signs in to the console even where the output is no terminal',
      )
      .addHelpText('after', EXAMPLE)
      // The gateway's parts are many; commands that do not need them should not wait for them.
      .action(async (flags: ServeFlags) => (await import('./gateway/run-gateway.ts')).serve(flags))
  )
}
