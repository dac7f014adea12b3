import { CALL_VARIANTS } from '@hintgate/metadata'
import { Command, InvalidArgumentError } from 'commander'
import type { ReviewState } from '../../catalog/judge-definition.ts'
import type { ReviewAction } from '../review/review-decide.ts'
import { addClientOptions, collect, createFamily, loadAndRun, oneOf, parseCount } from './kit.ts'

const ABOUT = `
Without --url, this command starts the servers in the config and stops them afterwards; --as shows what an agent
would see. With --url, it asks a running gateway, and the token determines which tools are shown.

Exit codes: 0 done, 1 failed, 2 wrong usage or config, 10 refused by policy.`

const EXAMPLES = `
Examples:
  $ hintgate tools list --server notes
  $ hintgate tools search delete old notes --exclude-open-world --limit 3
  $ hintgate tools show notes:delete_note
${ABOUT}`

const ABOUT_REVIEW = `
This works without a running gateway; a running one applies the change within a second.
Exit codes: 0 done, 1 failed (for example, not found or changed in the meantime), 2 wrong usage or config.`

const STATES: readonly ReviewState[] = ['pending', 'changed', 'rejected', 'disabled', 'approved']
const WAITING: readonly ReviewState[] = ['pending', 'changed']
const ACTIONS: readonly (ReviewAction & { readonly description: string; readonly example: string })[] = [
  {
    verb: 'approve',
    done: 'approved',
    usualStates: WAITING,
    description: 'approve definitions exactly as they are now',
    example: 'approve notes:read@1a2b3c4d5e6f --note "read it, fine"',
  },
  {
    verb: 'reject',
    done: 'rejected',
    usualStates: WAITING,
    description: 'reject definitions as they are now',
    example: 'reject notes:read@1a2b3c4d5e6f --note "wants ~/.ssh"',
  },
  {
    verb: 'disable',
    done: 'disabled',
    usualStates: STATES.filter(state => state !== 'disabled'),
    description: 'disable definitions, even if they change later',
    example: 'disable notes:delete_all',
  },
  {
    verb: 'enable',
    done: 'enabled',
    usualStates: ['disabled'],
    description: 'enable definitions again; definitions that are not approved still wait for review',
    example: 'enable notes:delete_all',
  },
]

export function toolsCommand(): Command {
  const about = "list, search and review all servers' tools"
  const { parent, add, addPlaced } = createFamily('tools', about, EXAMPLES)
  const load = () => import('../calls/run-tools.ts')
  const addAsking = (usage: string, description: string): Command =>
    addClientOptions(add(usage, description)).addHelpText('after', ABOUT)
  addAsking('list', 'list every tool that the caller is allowed to use')
    .option('--server <name>', "only this server's tools; repeatable", collect)
    .action(loadAndRun(load, 'list'))
  addAsking('search <query...>', 'find tools by what they do, best first')
    .option('--limit <count>', 'number of results (default: 8)', parseCount)
    .option('--server <name>', "only this server's tools; repeatable", collect)
    .option('--domain <name>', 'prefer tools of this domain; repeatable', collect)
    .addOption(oneOf('--category <category>', 'only tools of this category', ['read', 'write', 'delete']))
    .option('--read-only', 'only read-only tools')
    .option('--exclude-destructive', 'leave out destructive tools')
    .option('--exclude-open-world', 'leave out open-world tools')
    .option('--idempotent', 'only idempotent tools')
    .addOption(
      oneOf('--detail <detail>', 'compact, or full, which includes the input schema', ['compact', 'full']),
    )
    .action(loadAndRun(load, 'search'))
  addAsking('show <server:tool>', 'show one tool: its hints with their sources, and its schema').action(
    loadAndRun(load, 'show'),
  )
  addReview((usage, description, example) =>
    addPlaced(usage, description, `  $ hintgate tools ${example}`).addHelpText('after', ABOUT_REVIEW),
  )
  return parent
}

function addReview(add: (usage: string, description: string, example: string) => Command): void {
  const kind = () =>
    oneOf('--kind <kind>', 'only definitions of this kind', ['tool', 'prompt', 'template', 'instructions'])
  const by = ['--by <name>', 'name to record as the person who decides (default: your user name)'] as const
  const history = () => import('../review/review-history.ts')
  add('review', 'list definitions that wait for review', 'review --server notes')
    .option('--server <name>', "only this server's tools; repeatable", collect)
    .action(loadAndRun(() => import('../review/review-list.ts'), 'review'))
  add(
    'diff <server:name>',
    'show the changes since the approved version, and the evidence',
    'diff notes:read',
  )
    .addOption(kind())
    .option('--from <fingerprint>', 'compare with this version (default: the last approved one)')
    .option('--to <fingerprint>', 'show this version (default: the current one)')
    .action(loadAndRun(history, 'diff'))
  for (const { description, example, ...action } of ACTIONS) {
    const command = add(`${action.verb} [server:name[@fingerprint]...]`, description, example)
      .addOption(kind())
      .option('--state <state>', `only definitions in this state: ${STATES.join(', ')}`, parseState)
      .option('--all', `all ${action.usualStates.join(' or ')} definitions of all servers`)
      .option('-y, --yes', 'do not ask before changing more than one definition')
      .action(loadAndRun(() => import('../review/review-decide.ts'), 'decide', action))
    if (action.verb === 'approve' || action.verb === 'reject')
      command.option('--note <text>', 'the reason, kept in the history').option(...by)
  }
  add('history <server:name>', 'list every version that the gateway has seen', 'history notes:read')
    .addOption(kind())
    .action(loadAndRun(history, 'history'))
  add(
    'override [server:tool]',
    "override a tool's hints",
    'override notes:archive --set readOnlyHint=false,destructiveHint=true',
  )
    .option('--set <hints>', 'set hints, such as readOnlyHint=true,destructiveHint=false', collect)
    .option('--clear <hints>', 'remove the override of these hints', collect)
    .option('--remove', "remove all of the tool's overrides")
    .option('--list', 'list all overrides')
    .option('--export', 'print the overrides block for hintgate.json')
    .option(...by)
    .action(loadAndRun(() => import('../review/review-override.ts'), 'override'))
}

function parseState(text: string, before: readonly ReviewState[] = []): readonly ReviewState[] {
  const state = STATES.find(known => known === text)
  if (state === undefined) throw new InvalidArgumentError(`Expected one of ${STATES.join(', ')}.`)
  return [...before, state]
}

const CALL = `
Examples:
  $ hintgate call notes:search_notes '{"query": "milk"}'
  $ hintgate call notes:add_note --arg title=Milk --arg text="two litres" --as reporting-bot
  $ hintgate call notes:delete_note - --json < arguments.json
  $ HINTGATE_TOKEN=hg_agent_… hintgate call notes:search_notes --arg query=milk --url http://127.0.0.1:4428

The value of --arg is parsed as JSON if possible, otherwise it is a string; quote a number to pass it as a string:
--arg 'id="3"'. Without --url, this command starts the server and stops it afterwards. With --url, it asks a running
gateway.

Exit codes: 0 done, 1 failed, 2 wrong usage or config, 10 refused by policy, 11 waiting for approval.`

export function callCommand(): Command {
  const variants = ['read', 'write', 'destructive', ...CALL_VARIANTS]
  const command = new Command('call')
    .description('call one tool, with the same checks as for an agent')
    .argument('<server:tool>', 'the tool')
    .argument('[args]', 'arguments as a JSON object; - reads them from standard input')
    .option('--arg <key=value>', 'one argument; repeatable', collect)
    .addOption(
      oneOf(
        '--variant <variant>',
        'variant to call the tool with (default: the variant that the tool requires)',
        variants,
      ),
    )
    .option('--intent-reason <text>', "reason for the call, sent as part of the call's intent")
    .addHelpText('after', CALL)
    .action(loadAndRun(() => import('../calls/run-call.ts'), 'call'))
  return addClientOptions(command)
}

const LINT = `
Reads a tools/list result, an array of tools, JSON Lines (also .gz), or an mcpb/dxt manifest; - is standard input.
If the target is a URL or a command line, lint connects to or starts that server and lists its tools.

Examples:
  $ hintgate lint tools.json
  $ hintgate lint manifest.json --strict
  $ hintgate lint tools.jsonl --format sarif > tools.sarif
  $ hintgate lint 'npx -y @modelcontextprotocol/server-memory' --write-baseline tools.baseline.json
  $ hintgate lint https://mcp.example/mcp --baseline tools.baseline.json

Exit codes: 0 no errors, 1 errors found, 2 wrong usage or unreadable input.`

export function lintCommand(): Command {
  return new Command('lint')
    .description('check tool annotations: findings with fixes, and coverage')
    .argument('[target...]', 'files, - for standard input, URLs, or command lines in quotes')
    .option('-c, --config <file>', 'lint every server in this config if you name no target')
    .option('--home <folder>', "Hintgate's own folder, for that config (default: ~/.hintgate)")
    .option('--header <name: value...>', 'header to send to servers at a URL')
    .option('--baseline <file>', 'fail if the tools differ from this baseline')
    .option('--write-baseline <file>', 'write the current tools to a baseline file')
    .addOption(
      oneOf('-f, --format <format>', 'output format', ['text', 'json', 'sarif', 'markdown']).default('text'),
    )
    .option('--json', 'short for --format json')
    .option('--strict', 'treat undeclared hints and warnings as errors')
    .option('--untrusted', 'show the variants that apply while the hints are not vouched for')
    .addOption(
      oneOf('--profile <profile>', 'how to treat undeclared hints', ['gateway', 'spec']).default('gateway'),
    )
    .addHelpText('after', LINT)
    .action(loadAndRun(() => import('../lint/run-lint.ts'), 'lint'))
}

const SETS = `
Examples:
  $ hintgate sets list
  $ hintgate sets show support
  $ hintgate sets try support find_customer '{"email": "ada@example.com"}'

list and show work without a running gateway, from what it has stored. try does what an agent of the set would do:
without --url, it starts the servers in the config and stops them afterwards.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

export function setsCommand(): Command {
  const about = 'show and try toolsets: chosen tools of several servers, at /mcp/sets/NAME'
  const { parent, add, addPlaced } = createFamily('sets', about, SETS)
  const load = () => import('../sets/run-sets.ts')
  addPlaced('list', 'list all toolsets, and their problems').action(loadAndRun(load, 'list'))
  addPlaced(
    'show <name>',
    'show what agents of a set see, next to the definitions that were reviewed',
  ).action(loadAndRun(load, 'show'))
  addClientOptions(
    add('try <name> [words...]', "list a set's tools, search in it (QUERY), or call a tool (TOOL ARGS)"),
  )
    .option('--arg <key=value>', 'argument of the tool; repeatable', collect)
    .action(loadAndRun(load, 'tryOut'))
  return parent
}
