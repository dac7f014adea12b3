import { Command } from 'commander'
import { collect } from './client/client-flags.ts'
import type { AddFlags, ServerFlags, TrustFlags } from './run/servers-flags.ts'
import { addPlaceOptions } from './terminal/context.ts'

const EXAMPLES = `
Examples:
  $ hintgate servers add files -- npx -y @modelcontextprotocol/server-filesystem .
  $ hintgate servers add crm --url https://crm.example/mcp --header 'Authorization: Bearer \${env:CRM}'
  $ hintgate servers list
  $ hintgate servers show crm
  $ hintgate servers test crm
  $ hintgate servers trust crm
  $ hintgate servers login crm
  $ hintgate servers logout crm
  $ hintgate servers remove crm

They change the config file; a running gateway notices at once. A secret given here goes into a file that only you can
read, and the config refers to it.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

/** `hintgate servers`: what is behind the gateway. */
export function serversCommand(): Command {
  const servers = new Command('servers')
    .description('the servers behind the gateway')
    .addHelpText('after', EXAMPLES)
  subcommand(servers, 'add', 'add a server: a program behind --, or --url')
    .argument('<name>', 'what it is called here')
    .argument('[command...]', 'the program and its arguments, behind --')
    .option('--url <url>', 'its address, where it is no program')
    .option('--type <type>', 'how it is reached: http or sse (default: found out)')
    .option(
      '--header <header>',
      "sent with every request: 'Name: value'; may be given several times",
      collect,
    )
    .option('--env <variable>', 'NAME=value for the program; may be given several times', collect)
    .option('--cwd <folder>', 'where the program runs')
    .option('--trust <trust>', 'reviewed or trusted (default: reviewed)')
    .action(async (name: string, command: string[], flags: AddFlags) =>
      (await import('./run/run-servers.ts')).addServer(name, command, flags),
    )
  subcommand(servers, 'list', 'all of them').action(async (flags: ServerFlags) =>
    (await import('./run/run-servers.ts')).listServers(flags),
  )
  subcommand(servers, 'show', 'one of them, as the config has it, without its secrets')
    .argument('<name>')
    .action(async (name: string, flags: ServerFlags) =>
      (await import('./run/run-servers.ts')).showServer(name, flags),
    )
  subcommand(servers, 'remove', 'take one out of the config, with the secrets that were kept for it')
    .argument('<name>')
    .action(async (name: string, flags: ServerFlags) =>
      (await import('./run/run-servers.ts')).removeServer(name, flags),
    )
  subcommand(servers, 'test', 'start it, ask for its tools, stop it again')
    .argument('[name...]', 'which ones (default: all)')
    .action(async (names: string[], flags: ServerFlags) =>
      (await import('./run/run-servers-test.ts')).testServers(names, flags),
    )
  subcommand(servers, 'trust', 'approve its first tools without a review; changes still wait')
    .argument('<name>')
    .option('--reviewed', 'the other way: everything of it waits for review')
    .action(async (name: string, flags: TrustFlags) =>
      (await import('./run/run-servers.ts')).trustServer(name, flags),
    )
  subcommand(servers, 'login', 'sign in to a server that wants OAuth')
    .argument('<name>')
    .action(async (name: string, flags: ServerFlags) =>
      (await import('./run/run-servers-login.ts')).login(name, flags),
    )
  subcommand(servers, 'logout', 'forget the credentials that were kept for a server')
    .argument('<name>')
    .action(async (name: string, flags: ServerFlags) =>
      (await import('./run/run-servers-login.ts')).logout(name, flags),
    )
  return servers
}

function subcommand(parent: Command, name: string, description: string): Command {
  const example = EXAMPLES.split('\n').find(line => line.includes(`servers ${name}`)) ?? ''
  const command = parent.command(name).description(description)
  return addPlaceOptions(command)
    .option('--json', 'print JSON')
    .addHelpText('after', `\nExample:\n${example}`)
}
