import { Argument, Command } from 'commander'
import { addJson, addPlaceOptions, loadAndRun, oneOf } from './kit.ts'

const gateway = () => import('../gateway/run-gateway.ts')

const SERVE = `
Example:
  $ hintgate serve --config hintgate.json --listen 127.0.0.1:4428`

export function serveCommand(): Command {
  return addPlaceOptions(new Command('serve'))
    .description('run the gateway')
    .option('-l, --listen <address>', 'host:port to listen on; port 0 uses any free port')
    .option('--behind-proxy', 'accept that TLS is terminated by a reverse proxy')
    .option('--log-format <format>', 'log format: text or json')
    .option('--print-link', 'print a console sign-in link even if the output is not a terminal')
    .addHelpText('after', SERVE)
    .action(loadAndRun(gateway, 'serve'))
}

const STDIO = `
Example, as the command in a client's config:
  $ hintgate stdio --agent reporting-bot`

export function stdioCommand(): Command {
  return addPlaceOptions(new Command('stdio'))
    .description('run the gateway over stdio, for one client')
    .option('--agent <name>', "act with this token's scope (default: everything)")
    .option('--direct', 'list every tool as server__tool instead of the search tools')
    .option('--server <name>', 'expose only one server, with its own tool names')
    .option('--set <name>', 'expose only one toolset')
    .option('--log-format <format>', 'log format: text or json')
    .addHelpText('after', STDIO)
    .action(loadAndRun(gateway, 'serveStdio'))
}

const CONSOLE = `
Examples:
  $ hintgate console
  $ hintgate console --role approver --name ada --no-open

The link works once and expires after ten minutes. The console session that it opens lasts twelve hours.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

export function consoleCommand(): Command {
  const command = new Command('console')
    .description('print and open a console sign-in link')
    .option('--role <role>', "the session's role: viewer, approver, operator or admin", 'admin')
    .option('--name <name>', 'name of the person who signs in (default: your user name)')
    .option('--url <url>', "the gateway's address (default: from the config)")
    .option('--no-open', 'print the link without opening a browser')
    .addHelpText('after', CONSOLE)
    .action(loadAndRun(() => import('../gateway/run-console.ts'), 'runConsole'))
  return addPlaceOptions(addJson(command))
}

const DEMO = `
Runs a gateway with two small demo servers, notes and mailer, and prints the entry to paste into an MCP client. Nothing
leaves this machine. hintgate without a command runs the demo if it finds no config.

Example:
  $ hintgate demo --listen 127.0.0.1:0`

export function demoCommand(): Command {
  return new Command('demo')
    .description('run a gateway with two demo servers')
    .option('--home <folder>', "folder for the demo's data (default: ~/.hintgate/demo)")
    .option('-l, --listen <address>', 'host:port to listen on; port 0 uses any free port')
    .addHelpText('after', DEMO)
    .action(loadAndRun(() => import('../gateway/run-demo.ts'), 'runDemo'))
}

const DOCTOR = `
Checks the config, its policies and guardrails, the store, the port, file permissions, the clock, the disk and the
tokens. It works without a running gateway and changes nothing. With --connect, it also starts or connects to every
server and lists its tools. With --fix, it applies the fixes that are safe: for file permissions, files left behind, a
missing home folder and expired results. Without --fix, it tells you what --fix would do.

Examples:
  $ hintgate doctor
  $ hintgate doctor --connect --json
  $ hintgate doctor --fix --dry-run
  $ hintgate doctor --fix

Exit codes: 0 no problems, 1 something needs attention, 2 wrong usage.`

export function doctorCommand(): Command {
  const command = addPlaceOptions(new Command('doctor'))
    .description('find problems and pending decisions, and explain how to fix them')
    .option('--connect', 'start or connect to every server and list its tools')
    .option('--fix', 'apply the fixes that are safe')
    .option('--dry-run', 'with --fix: show the fixes without applying them')
    .addHelpText('after', DOCTOR)
    .action(loadAndRun(() => import('../doctor/doctor-run.ts'), 'runDoctor'))
  return addJson(command)
}

const EXPLAIN = `
Every error has a code: in this command's output, in refusals of calls and in the admin API.

Examples:
  $ hintgate explain quarantined
  $ hintgate explain

Exit codes: 0 done, 2 unknown code.`

export function explainCommand(): Command {
  const command = new Command('explain')
    .description('explain an error code and how to fix the error')
    .argument('[code]', "the error's code (default: list all codes)")
    .addHelpText('after', EXPLAIN)
    .action(loadAndRun(() => import('../run/run-explain.ts'), 'runExplain'))
  return addJson(command)
}

const COMPLETION = `
Examples:
  $ hintgate completion bash > ~/.local/share/bash-completion/completions/hintgate
  $ hintgate completion zsh > ~/.zfunc/_hintgate    # with fpath+=~/.zfunc before compinit in ~/.zshrc
  $ hintgate completion fish > ~/.config/fish/completions/hintgate.fish`

export function completionCommand(): Command {
  return new Command('completion')
    .description('print a completion script for a shell')
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', COMPLETION)
    .action(loadAndRun(() => import('../run/run-completion.ts'), 'complete'))
}

const NEW = `
Creates a folder with a working server, written with @hintgate/toolkit, and its tests. There is no build step, and the
tests need only Node. An existing folder is never changed.

Examples:
  $ hintgate new tasks
  $ cd tasks && npm install && npm test

Exit codes: 0 done, 2 wrong usage, or the folder exists or cannot be created.`

export function newCommand(): Command {
  const command = new Command('new')
    .description('create an MCP server project with tools, hints and tests')
    .argument('<name>', 'name for the server, its package and its folder')
    .addOption(oneOf('--template <template>', 'the template to use', ['server']).default('server'))
    .addHelpText('after', NEW)
    .action(loadAndRun(() => import('../run/run-new.ts'), 'runNew'))
  return addJson(command)
}
