import { CALL_VARIANTS } from '@hintgate/metadata'
import { Command, InvalidArgumentError } from 'commander'
import type { ReviewState } from '../../catalog/judge-definition.ts'
import type { Act } from '../review/review-decide.ts'
import { addClientOptions, collect, createFamily, later, oneOf, parseCount } from './kit.ts'

const ABOUT = `
Without --url the servers of the config are started for this command, and stopped again. --as shows what an
agent would see. With --url a running gateway is asked; its token says who is asking.

Exit codes: 0 done, 1 failed, 2 wrong usage or config, 10 refused by policy.`

const EXAMPLES = `
Examples:
  $ hintgate tools list --server notes
  $ hintgate tools search delete old notes --exclude-open-world --limit 3
  $ hintgate tools show notes:delete_note
${ABOUT}`

const ABOUT_REVIEW = `
A running gateway notices within a second; none needs to be running.
Exit codes: 0 done, 1 failed (not found, changed meanwhile), 2 wrong usage or config.`

const STATES: readonly ReviewState[] = ['pending', 'changed', 'rejected', 'disabled', 'approved']
const WAITING: readonly ReviewState[] = ['pending', 'changed']
const ACTS: readonly (Act & { readonly description: string; readonly example: string })[] = [
  {
    verb: 'approve',
    done: 'approved',
    usualStates: WAITING,
    description: 'let definitions be seen and used, each exactly as it is now',
    example: 'approve notes:read@1a2b3c4d5e6f --note "read it, fine"',
  },
  {
    verb: 'reject',
    done: 'rejected',
    usualStates: WAITING,
    description: 'refuse definitions as they are now',
    example: 'reject notes:read@1a2b3c4d5e6f --note "wants ~/.ssh"',
  },
  {
    verb: 'disable',
    done: 'disabled',
    usualStates: STATES.filter(state => state !== 'disabled'),
    description: 'switch definitions off, whatever becomes of them',
    example: 'disable notes:delete_all',
  },
  {
    verb: 'enable',
    done: 'enabled',
    usualStates: ['disabled'],
    description: 'switch definitions on again; what is not approved still waits',
    example: 'enable notes:delete_all',
  },
]

export function toolsCommand(): Command {
  const about = 'the tools of all servers: what they do, and how we know'
  const { parent, add, addPlaced } = createFamily('tools', about, EXAMPLES)
  const load = () => import('../calls/run-tools.ts')
  const addAsking = (usage: string, description: string): Command =>
    addClientOptions(add(usage, description)).addHelpText('after', ABOUT)
  addAsking('list', 'every tool that may be used')
    .option('--server <name>', 'only of this server; may be given several times', collect)
    .action(later(load, 'list'))
  addAsking('search <query...>', 'find tools by what they do, best first')
    .option('--limit <count>', 'how many to show (default: 8)', parseCount)
    .option('--server <name>', 'only of this server; may be given several times', collect)
    .option('--domain <name>', 'prefer this domain; may be given several times', collect)
    .addOption(oneOf('--category <category>', 'only of this kind', ['read', 'write', 'delete']))
    .option('--read-only', 'only tools that read')
    .option('--exclude-destructive', 'no tools that may destroy')
    .option('--exclude-open-world', 'no tools that reach beyond their server')
    .option('--idempotent', 'only tools that may be repeated')
    .addOption(oneOf('--detail <detail>', 'full adds the schema', ['compact', 'full']))
    .action(later(load, 'search'))
  addAsking('show <server:tool>', 'one tool: its hints, where each comes from, its schema').action(
    later(load, 'show'),
  )
  addReview((usage, description, example) =>
    addPlaced(usage, description, `  $ hintgate tools ${example}`).addHelpText('after', ABOUT_REVIEW),
  )
  return parent
}

function addReview(add: (usage: string, description: string, example: string) => Command): void {
  const kind = () =>
    oneOf('--kind <kind>', 'only of this kind', ['tool', 'prompt', 'template', 'instructions'])
  const by = ['--by <name>', 'who decides (default: the user of this machine)'] as const
  const history = () => import('../review/review-history.ts')
  add('review', 'what waits for review', 'review --server notes')
    .option('--server <name>', 'only of this server; may be given several times', collect)
    .action(later(() => import('../review/review-list.ts'), 'review'))
  add('diff <server:name>', 'what changed since it was approved, and the evidence', 'diff notes:read')
    .addOption(kind())
    .option('--from <fingerprint>', 'compare with this version (default: the one approved last)')
    .option('--to <fingerprint>', 'show this version (default: what the server has now)')
    .action(later(history, 'diff'))
  for (const { description, example, ...act } of ACTS) {
    const command = add(`${act.verb} [server:name[@fingerprint]...]`, description, example)
      .addOption(kind())
      .option('--state <state>', `only what is in this state: ${STATES.join(', ')}`, parseState)
      .option('--all', `everything of all servers that is ${act.usualStates.join(' or ')}`)
      .option('-y, --yes', 'do not ask, although it is more than one')
      .action(later(() => import('../review/review-decide.ts'), 'decide', act))
    if (act.verb === 'approve' || act.verb === 'reject')
      command.option('--note <text>', 'why, for those who come later').option(...by)
  }
  add('history <server:name>', 'every version that was ever seen', 'history notes:read')
    .addOption(kind())
    .action(later(history, 'history'))
  add(
    'override [server:tool]',
    'hints that you know better than the server',
    'override notes:archive --set readOnlyHint=false,destructiveHint=true',
  )
    .option('--set <hints>', 'readOnlyHint=true,destructiveHint=false', collect)
    .option('--clear <hints>', 'leave these to the server again', collect)
    .option('--remove', 'leave all to the server again')
    .option('--list', 'show what is overridden')
    .option('--export', 'print the overrides block for hintgate.json')
    .option(...by)
    .action(later(() => import('../review/review-override.ts'), 'override'))
}

function parseState(text: string, before: readonly ReviewState[] = []): readonly ReviewState[] {
  const state = STATES.find(known => known === text)
  if (state === undefined) throw new InvalidArgumentError(`It is one of ${STATES.join(', ')}.`)
  return [...before, state]
}

const CALL = `
Examples:
  $ hintgate call notes:search_notes '{"query": "milk"}'
  $ hintgate call notes:add_note --arg title=Milk --arg text="two litres" --as reporting-bot
  $ hintgate call notes:delete_note - --json < arguments.json
  $ HINTGATE_TOKEN=hg_agent_… hintgate call notes:search_notes --arg query=milk --url http://127.0.0.1:4428

The value of --arg is JSON where it can be read as such, else a text; a number as a text takes quotes: --arg 'id="3"'.
Without --url the server is started for this call, and stopped again. With --url a running gateway is asked.

Exit codes: 0 done, 1 failed, 2 wrong usage or config, 10 refused by policy, 11 waiting for approval.`

export function callCommand(): Command {
  const variants = ['read', 'write', 'destructive', ...CALL_VARIANTS]
  const command = new Command('call')
    .description('call one tool, with every check that an agent goes through')
    .argument('<server:tool>', 'the tool')
    .argument('[args]', 'its arguments as a JSON object; - reads them from standard input')
    .option('--arg <key=value>', 'one argument; may be given several times', collect)
    .addOption(oneOf('--variant <variant>', 'how to call it (default: as the tool needs)', variants))
    .option('--intent-reason <text>', 'what the call is for; goes into its intent')
    .addHelpText('after', CALL)
    .action(later(() => import('../calls/run-call.ts'), 'call'))
  return addClientOptions(command)
}

const LINT = `
Reads a tools/list result, an array of tools, JSON Lines (also .gz), or an mcpb/dxt manifest; - is standard input.
A URL or a command line is a server: it is connected to, asked for its tools, and left (and ended) again.

Examples:
  $ hintgate lint tools.json
  $ hintgate lint manifest.json --strict
  $ hintgate lint tools.jsonl --format sarif > tools.sarif
  $ hintgate lint 'npx -y @modelcontextprotocol/server-memory' --write-baseline tools.baseline.json
  $ hintgate lint https://mcp.example/mcp --baseline tools.baseline.json

Exit codes: 0 no errors, 1 errors found, 2 wrong usage or unreadable input.`

export function lintCommand(): Command {
  return new Command('lint')
    .description('check the annotations of tools: findings with fixes, and how much is declared')
    .argument('[target...]', 'files, - for standard input, URLs, or command lines in quotes')
    .option('-c, --config <file>', 'every server of a config, if no target is named')
    .option('--home <folder>', "Hintgate's own folder, for that config (default: ~/.hintgate)")
    .option('--header <name: value...>', 'sent to servers behind a URL')
    .option('--baseline <file>', 'fail when tools are not what this file says')
    .option('--write-baseline <file>', 'write down what the tools are now')
    .addOption(
      oneOf('-f, --format <format>', 'how to report', ['text', 'json', 'sarif', 'markdown']).default('text'),
    )
    .option('--json', 'short for --format json')
    .option('--strict', 'undeclared hints and warnings count as errors')
    .option('--untrusted', 'show what an unreviewed server gets, instead of a vouched one')
    .addOption(oneOf('--profile <profile>', 'what undeclared means', ['gateway', 'spec']).default('gateway'))
    .addHelpText('after', LINT)
    .action(later(() => import('../lint/run-lint.ts'), 'lint'))
}
