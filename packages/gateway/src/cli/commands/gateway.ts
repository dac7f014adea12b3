import { Argument, Command } from 'commander'
import { addJson, addPlaceOptions, later, oneOf } from './kit.ts'

const gateway = () => import('../gateway/run-gateway.ts')

const SERVE = `
Example:
  $ hintgate serve --config hintgate.json --listen 127.0.0.1:4428`

export function serveCommand(): Command {
  return addPlaceOptions(new Command('serve'))
    .description('run the gateway')
    .option('-l, --listen <address>', 'host:port to listen on; port 0 takes a free one')
    .option('--behind-proxy', 'a proxy in front terminates TLS')
    .option('--log-format <format>', 'text for people, json for programs')
    .option('--print-link', 'print a link that signs in to the console even where the output is no terminal')
    .addHelpText('after', SERVE)
    .action(later(gateway, 'serve'))
}

const STDIO = `
Example, as the command of a client:
  $ hintgate stdio --agent reporting-bot`

export function stdioCommand(): Command {
  return addPlaceOptions(new Command('stdio'))
    .description('the same gateway for a client that speaks stdio')
    .option('--agent <name>', 'act with the scope of this token (default: everything)')
    .option('--direct', 'every tool as server__tool, instead of tools to find and call them with')
    .option('--server <name>', 'one server with its own names')
    .option('--log-format <format>', 'text for people, json for programs')
    .addHelpText('after', STDIO)
    .action(later(gateway, 'serveStdio'))
}

const CONSOLE = `
Examples:
  $ hintgate console
  $ hintgate console --role approver --name ada --no-open

The link works once and for ten minutes; whoever opens it stays signed in for twelve hours.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

export function consoleCommand(): Command {
  const command = new Command('console')
    .description('a link that opens the console, signed in')
    .option('--role <role>', 'what it may be used for: viewer, approver, operator or admin', 'admin')
    .option('--name <name>', 'who signs in (default: the user of this machine)')
    .option('--url <url>', 'where the gateway is (default: as the config says)')
    .option('--no-open', 'only print it')
    .addHelpText('after', CONSOLE)
    .action(later(() => import('../gateway/run-console.ts'), 'runConsole'))
  return addPlaceOptions(addJson(command))
}

const DEMO = `
Runs a gateway with two small servers of its own, notes and mail, and prints what to paste into an MCP client. Nothing
leaves this machine. It is what hintgate does where there is no config and no command.

Example:
  $ hintgate demo --listen 127.0.0.1:0`

export function demoCommand(): Command {
  return new Command('demo')
    .description('try it: a gateway with two demo servers')
    .option('--home <folder>', 'where the demo keeps its data (default: ~/.hintgate/demo)')
    .option('-l, --listen <address>', 'host:port to listen on; port 0 takes a free one')
    .addHelpText('after', DEMO)
    .action(later(() => import('../gateway/run-demo.ts'), 'runDemo'))
}

const DOCTOR = `
Looks at the config, its policies and guardrails, the store, the port, files and their rights, the clock, the disk and
tokens; no gateway needs to be running, and nothing is changed. With --connect every server is started (or connected
to), asked for its tools, and stopped again. With --fix what is safe is mended: rights of files, leftovers, a missing
home folder, results that have expired. Without it you are told what --fix would do.

Examples:
  $ hintgate doctor
  $ hintgate doctor --connect --json
  $ hintgate doctor --fix --dry-run
  $ hintgate doctor --fix

Exit codes: 0 nothing is wrong, 1 something needs attention, 2 wrong usage.`

export function doctorCommand(): Command {
  const command = addPlaceOptions(new Command('doctor'))
    .description('what is wrong, what waits for you, and what to do about it')
    .option('--connect', 'start every server to see whether it starts')
    .option('--fix', 'mend what is safe to mend, and say what was done')
    .option('--dry-run', 'with --fix: only say what would be done')
    .addHelpText('after', DOCTOR)
    .action(later(() => import('../doctor/doctor-run.ts'), 'runDoctor'))
  return addJson(command)
}

const EXPLAIN = `
Every error says its code, here, in refusals of calls and in answers of the admin API.

Examples:
  $ hintgate explain quarantined
  $ hintgate explain

Exit codes: 0 done, 2 there is no such code.`

export function explainCommand(): Command {
  const command = new Command('explain')
    .description('what an error code means, and what to do about it')
    .argument('[code]', 'as it stands in the error; without it all codes are listed')
    .addHelpText('after', EXPLAIN)
    .action(later(() => import('../run/run-explain.ts'), 'runExplain'))
  return addJson(command)
}

const COMPLETION = `
Examples:
  $ hintgate completion bash > ~/.local/share/bash-completion/completions/hintgate
  $ hintgate completion zsh > ~/.zfunc/_hintgate    # with fpath+=~/.zfunc before compinit in ~/.zshrc
  $ hintgate completion fish > ~/.config/fish/completions/hintgate.fish`

export function completionCommand(): Command {
  return new Command('completion')
    .description('a script with which a shell completes these commands')
    .addArgument(new Argument('<shell>', 'for which shell').choices(['bash', 'zsh', 'fish']))
    .addHelpText('after', COMPLETION)
    .action(later(() => import('../run/run-completion.ts'), 'complete'))
}

const NEW = `
Makes a folder with a working server, written with @hintgate/toolkit, and its tests; nothing needs to be built, and the
tests need nothing but Node. A folder that is there already is left as it is.

Examples:
  $ hintgate new tasks
  $ cd tasks && npm install && npm test

Exit codes: 0 done, 2 wrong usage, or the folder is there or cannot be made.`

export function newCommand(): Command {
  const command = new Command('new')
    .description('start an MCP server of your own: tools, hints and tests')
    .argument('<name>', 'of the server, its package and its folder')
    .addOption(oneOf('--template <template>', 'what to start from', ['server']).default('server'))
    .addHelpText('after', NEW)
    .action(later(() => import('../run/run-new.ts'), 'runNew'))
  return addJson(command)
}
