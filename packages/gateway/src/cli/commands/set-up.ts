import { Command } from 'commander'
import { addJson, addPlaceOptions, collect, createFamily, later } from './kit.ts'

const INIT = `
Writes a config with comments: into this folder, or with --global into ~/.hintgate, where it counts from everywhere.
A config that is there is never written over. On a terminal it then offers to take over your clients' servers.

Examples:
  $ hintgate init
  $ hintgate init --global

Exit codes: 0 done, 1 failed, 2 wrong usage.`

export function initCommand(): Command {
  const command = addPlaceOptions(new Command('init'))
    .description('write a config to start from')
    .option('-g, --global', "into Hintgate's own folder instead of this one")
    .addHelpText('after', INIT)
    .action(later(() => import('../connect/run-import.ts'), 'runInit'))
  return addJson(command)
}

const IMPORT = `
Clients: claude-code, claude-desktop, codex, cursor, gemini, mcpproxy, vscode, windsurf; all of them if none is named.
The clients' own files are only read. Secrets do not go into the config: what a client takes from the environment
comes from there here too (\${env:NAME}), everything else goes into a file that only you can read (\${file:…}).
Tools of imported servers wait for review. Without --yes nothing is written before you have said so.

Examples:
  $ hintgate import
  $ hintgate import claude-code cursor --yes

Exit codes: 0 done, or shown what would be done; 1 failed; 2 wrong usage or config.`

export function importCommand(): Command {
  const command = addPlaceOptions(new Command('import'))
    .argument('[client...]', 'whose servers to take over (default: all that are found)')
    .description('take over the servers of your MCP clients')
    .option('--scope <scope>', 'only files of the user, of the project in this folder, or local ones')
    .addHelpText('after', IMPORT)
    .action(later(() => import('../connect/run-import.ts'), 'runImport'))
  return addAgreement(command)
}

const CONNECT = `
Clients: claude-code, claude-desktop, codex, cursor, gemini, mcpproxy, vscode, windsurf.
Makes a token of its own for the client and adds the gateway to the client's config: over HTTP, or as a program where
the client knows nothing else. You see the change first; the file is backed up, and hintgate disconnect undoes it.
With --replace the client's own servers go behind the gateway, where their tools wait for review.

Examples:
  $ hintgate connect claude-code
  $ hintgate connect cursor --scope project --permissions retrieve_tools,read --yes

Exit codes: 0 done, or shown what would be done; 1 failed; 2 wrong usage or config.`

export function connectCommand(): Command {
  const command = addPlaceOptions(new Command('connect'))
    .argument('<client>', 'which client')
    .description('point an MCP client at the gateway')
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
    .addHelpText('after', CONNECT)
    .action(later(() => import('../connect/run-connect.ts'), 'runConnect'))
  return addAgreement(command)
}

const DISCONNECT = `
Puts the client's config back, byte for byte, where nobody has changed it since; else takes out only our entry (and
puts back what --replace took). The client's token is revoked.

Example:
  $ hintgate disconnect claude-code

Exit codes: 0 done, or shown what would be done; 1 failed; 2 wrong usage or config.`

export function disconnectCommand(): Command {
  const command = addPlaceOptions(new Command('disconnect'))
    .argument('<client>', 'which client')
    .description('undo hintgate connect')
    .option('--scope <scope>', 'user, project or local (default: all that are connected)')
    .addHelpText('after', DISCONNECT)
    .action(later(() => import('../connect/run-disconnect.ts'), 'runDisconnect'))
  return addAgreement(command)
}

function addAgreement(command: Command): Command {
  return addJson(command.option('-y, --yes', 'write without asking'))
}

const SERVERS = `
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

export function serversCommand(): Command {
  const { parent, addPlaced: add } = createFamily('servers', 'the servers behind the gateway', SERVERS)
  const config = () => import('../run/run-servers.ts')
  const live = () => import('../run/run-servers-test.ts')
  add('add', 'add a server: a program behind --, or --url')
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
    .action(later(config, 'addServer'))
  add('list', 'all of them').action(later(config, 'listServers'))
  add('show <name>', 'one of them, as the config has it, without its secrets').action(
    later(config, 'showServer'),
  )
  add('remove <name>', 'take one out of the config, with the secrets that were kept for it').action(
    later(config, 'removeServer'),
  )
  add('test', 'start it, ask for its tools, stop it again')
    .argument('[name...]', 'which ones (default: all)')
    .action(later(live, 'testServers'))
  add('trust <name>', 'approve its first tools without a review; changes still wait')
    .option('--reviewed', 'the other way: everything of it waits for review')
    .action(later(config, 'trustServer'))
  add('login <name>', 'sign in to a server that wants OAuth').action(later(live, 'login'))
  add('logout <name>', 'forget the credentials that were kept for a server').action(later(live, 'logout'))
  return parent
}
