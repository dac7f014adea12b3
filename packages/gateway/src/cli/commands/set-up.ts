import { Command } from 'commander'
import { addJson, addPlaceOptions, collect, createFamily, loadAndRun } from './kit.ts'

const INIT = `
Writes a config with comments into this folder, or with --global into ~/.hintgate, where it applies in every folder.
An existing config is never overwritten. On a terminal, init then offers to import the servers of your clients.

Examples:
  $ hintgate init
  $ hintgate init --global

Exit codes: 0 done, 1 failed, 2 wrong usage.`

export function initCommand(): Command {
  const command = addPlaceOptions(new Command('init'))
    .description('write a config')
    .option('-g, --global', "write the config into Hintgate's own folder instead of the current one")
    .addHelpText('after', INIT)
    .action(loadAndRun(() => import('../connect/run-import.ts'), 'runInit'))
  return addJson(command)
}

const IMPORT = `
Clients: claude-code, claude-desktop, codex, cursor, gemini, mcpproxy, vscode, windsurf (default: all of them).
The clients' own files are not changed. Secrets are not written to the config: secrets that a client reads from the
environment stay there (\${env:NAME}), and all others go into files that only you can read (\${file:…}).
Tools of imported servers wait for review. Without --yes, import asks before it writes anything.

Examples:
  $ hintgate import
  $ hintgate import claude-code cursor --yes

Exit codes: 0 done, or the change was only shown; 1 failed; 2 wrong usage or config.`

export function importCommand(): Command {
  const command = addPlaceOptions(new Command('import'))
    .argument('[client...]', 'clients to import from (default: all that are found)')
    .description('import the servers of your MCP clients')
    .option('--scope <scope>', 'read only files with this scope: user, project (this folder) or local')
    .addHelpText('after', IMPORT)
    .action(loadAndRun(() => import('../connect/run-import.ts'), 'runImport'))
  return addAgreement(command)
}

const CONNECT = `
Clients: claude-code, claude-desktop, codex, cursor, gemini, mcpproxy, vscode, windsurf.
Creates a token for the client and adds the gateway to the client's config: over HTTP, or as a program if the client
supports only stdio. You see the change first. The file is backed up, and hintgate disconnect undoes the change.
With --replace, the client's own servers are moved behind the gateway, and their tools wait for review.

Examples:
  $ hintgate connect claude-code
  $ hintgate connect cursor --scope project --permissions retrieve_tools,read --yes

Exit codes: 0 done, or the change was only shown; 1 failed; 2 wrong usage or config.`

export function connectCommand(): Command {
  const command = addPlaceOptions(new Command('connect'))
    .argument('<client>', 'the client')
    .description('connect an MCP client to the gateway')
    .option('--scope <scope>', 'the file to change: user, project (this folder) or local (default: user)')
    .option('--name <name>', "name of the gateway in the client's config (default: hintgate)")
    .option('--url <url>', "the gateway's address (default: from the config)")
    .option('--stdio', 'let the client start the gateway over stdio, as a program')
    .option('--direct', 'show the client every tool instead of the search tools')
    .option('--set <name>', 'show the client one toolset; its token can use no other endpoint')
    .option('--replace', "move the client's own servers behind the gateway")
    .option(
      '--permissions <list>',
      "permissions of the client's token (default: all; destructive calls need approval)",
    )
    .option('--servers <list>', "servers that the client's token may reach (default: *)")
    .option(
      '--expires <when>',
      "time at which the client's token expires: 30d, 12h or a date (default: never)",
    )
    .addHelpText('after', CONNECT)
    .action(loadAndRun(() => import('../connect/run-connect.ts'), 'runConnect'))
  return addAgreement(command)
}

const DISCONNECT = `
Restores the client's config byte for byte if it has not changed since. Otherwise, removes only the gateway's entry and
puts back the servers that --replace moved. The client's token is revoked.

Example:
  $ hintgate disconnect claude-code

Exit codes: 0 done, or the change was only shown; 1 failed; 2 wrong usage or config.`

export function disconnectCommand(): Command {
  const command = addPlaceOptions(new Command('disconnect'))
    .argument('<client>', 'the client')
    .description('undo hintgate connect')
    .option('--scope <scope>', 'user, project or local (default: all that are connected)')
    .addHelpText('after', DISCONNECT)
    .action(loadAndRun(() => import('../connect/run-disconnect.ts'), 'runDisconnect'))
  return addAgreement(command)
}

function addAgreement(command: Command): Command {
  return addJson(command.option('-y, --yes', 'write without asking'))
}

function addEntryOptions(command: Command): Command {
  return command
    .option('--registry <url>', 'the registry (default: "registry" in the config)')
    .option('--release <version>', "the server's version in the registry (default: the latest)")
    .option('--use <kind>', 'how to use it, if there are several ways: http, sse, npm, pypi, nuget or oci')
    .option('--set <input>', 'a value that the server needs: NAME=value; repeatable', collect)
    .option('-y, --yes', 'agree to what is shown, without a question')
}

const SERVERS = `
Examples:
  $ hintgate servers add files -- npx -y @modelcontextprotocol/server-filesystem .
  $ hintgate servers add crm --url https://crm.example/mcp --header 'Authorization: Bearer \${env:CRM}'
  $ hintgate servers add petstore --openapi petstore.yaml --url https://petstore.example/v1
  $ hintgate servers search files
  $ hintgate servers try io.github.acme/files
  $ hintgate servers add files --from-registry io.github.acme/files
  $ hintgate servers list
  $ hintgate servers show crm
  $ hintgate servers test crm
  $ hintgate servers trust crm
  $ hintgate servers login crm
  $ hintgate servers logout crm
  $ hintgate servers remove crm

add, remove and trust change the config file; a running gateway applies the change immediately. Secrets that you pass here
go into a file that only you can read, and the config refers to that file.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

export function serversCommand(): Command {
  const { parent, addPlaced: add } = createFamily('servers', 'manage the servers behind the gateway', SERVERS)
  const config = () => import('../run/run-servers.ts')
  const live = () => import('../run/run-servers-test.ts')
  const registry = () => import('../registry/run-registry.ts')
  addEntryOptions(
    add(
      'add',
      'add a server: a program after --, a --url, an HTTP API with --openapi, or one from a registry',
    ),
  )
    .argument(
      '[name]',
      'name of the server; with --from-registry, its default is the last part of the name there',
    )
    .argument('[command...]', 'the program and its arguments, after --')
    .option('--openapi <file>', 'OpenAPI document of an HTTP API, whose operations become tools')
    .option(
      '--url <url>',
      "the server's URL, if the server is not a program; the API's address with --openapi",
    )
    .option('--type <type>', 'transport: http or sse (default: detected)')
    .option('--header <header>', "header to send with every request: 'Name: value'; repeatable", collect)
    .option('--env <variable>', 'environment variable for the program: NAME=value; repeatable', collect)
    .option('--cwd <folder>', "the program's working folder")
    .option('--trust <trust>', 'reviewed or trusted (default: reviewed)')
    .option(
      '--from-registry <server>',
      'add this server from the registry; shows what it runs and asks first',
    )
    .action(loadAndRun(config, 'addServer'))
  add('search <word>', 'find servers in the registry; runs nothing')
    .option('--registry <url>', 'the registry (default: "registry" in the config)')
    .option('--limit <number>', 'the most servers to show (default: 20)')
    .action(loadAndRun(registry, 'searchRegistry'))
  addEntryOptions(
    add('try <server>', 'run a server from the registry in a sandbox and lint its tools, without adding it'),
  )
    .option('--no-sandbox', 'run it as your user, with access to all your files')
    .action(loadAndRun(() => import('../registry/try-server.ts'), 'tryServer'))
  add('list', 'list all servers').action(loadAndRun(config, 'listServers'))
  add('show <name>', 'show the config of one server, without its secrets').action(
    loadAndRun(config, 'showServer'),
  )
  add('remove <name>', 'remove a server and its stored secrets').action(loadAndRun(config, 'removeServer'))
  add('test', 'start or connect to servers and list their tools')
    .argument('[name...]', 'the servers to test (default: all)')
    .action(loadAndRun(live, 'testServers'))
  add('trust <name>', "approve a server's first tools without a review; changes still wait for review")
    .option('--reviewed', 'stop trusting the server: new and changed tools wait for review again')
    .action(loadAndRun(config, 'trustServer'))
  add('login <name>', 'sign in to a server that uses OAuth').action(loadAndRun(live, 'login'))
  add('logout <name>', "delete a server's stored credentials").action(loadAndRun(live, 'logout'))
  return parent
}
