import type { Command } from 'commander'
import { AUDIT_VERDICTS } from '../../audit/entry.ts'
import { addJson, addPlaceOptions, collect, createFamily, later, oneOf, parseCount } from './kit.ts'

const TOKENS = `
Examples:
  $ hintgate tokens create reporting-bot --permissions retrieve_tools,read --servers db,crm --expires 30d
  $ hintgate tokens list
  $ hintgate tokens revoke reporting-bot

Permissions: retrieve_tools, call_tool_read, call_tool_write, call_tool_destructive; read, write and
destructive for short. In servers and tools * stands for any characters; a tool is tool or server:tool.
A running gateway notices every change at once.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

export function tokensCommand(): Command {
  const about = 'agent tokens: who may use the gateway, and for what'
  const { parent, addPlaced: add } = createFamily('tokens', about, TOKENS)
  const load = () => import('../run/run-tokens.ts')
  add('create <name>', 'make a token; it is shown this once')
    .option('--permissions <list>', 'what it may be used for (default: retrieve_tools,call_tool_read)')
    .option('--servers <list>', 'servers it may reach (default: *)')
    .option('--tools <list>', 'tools it may use (default: all of those servers)')
    .option('--rate <rate>', 'how many calls it may be used for, such as 60/m (default: no limit)')
    .option(
      '--confirm <list>',
      'calls that ask a person, such as write=always,destructive=never (default: the config)',
    )
    .option('--expires <when>', 'when it ends: 30d, 12h or a date (default: never)')
    .option('--admin', 'a token for a person instead of an agent')
    .option('--role <role>', 'what that person may do: viewer, approver, operator or admin (default: admin)')
    .action(later(load, 'create'))
  add('list', 'all tokens, revoked ones too').action(later(load, 'list'))
  add('show <name>', 'one token', '  $ hintgate tokens show reporting-bot').action(later(load, 'show'))
  add('revoke <name>', 'end a token at once').action(later(load, 'revoke'))
  add(
    'rotate <name>',
    'a new secret for the same name and scope; the old one ends at once',
    '  $ hintgate tokens rotate reporting-bot',
  ).action(later(load, 'rotate'))
  return parent
}

const APPROVALS = `
Examples:
  $ hintgate approvals list
  $ hintgate approvals show ap_3dk0vt8wyq1m5a
  $ hintgate approvals approve ap_3dk0vt8wyq1m5a
  $ hintgate approvals deny ap_3dk0vt8wyq1m5a --note "not before the backup"
  $ hintgate approvals watch

An approval is good for one call of the same agent with the same arguments, for a short time. A running gateway
notices every decision at once.

Exit codes: 0 done, 1 failed (such as: decided already), 2 wrong usage, 10 not yours to approve.`

export function approvalsCommand(): Command {
  const about = 'calls that wait for a person to allow them'
  const { parent, addPlaced: add } = createFamily('approvals', about, APPROVALS)
  const load = () => import('../run/run-approvals.ts')
  const addDecision = (usage: string, description: string): Command =>
    add(usage, description)
      .option('--by <name>', 'who decides (default: the user of this machine)')
      .option('--note <text>', 'words for the agent and the record')
  add('list', 'what waits for an answer').action(later(load, 'list'))
  add('show <id>', 'one of them, with everything that would be executed').action(later(load, 'show'))
  addDecision('approve <id>', 'let it happen, once')
    .option('--remember <what>', 'session or arguments: do not ask again for these, where rules allow it')
    .action(later(load, 'decide', 'approved'))
  addDecision('deny <id>', 'refuse it').action(later(load, 'decide', 'denied'))
  add('watch', 'show questions as they come, until interrupted').action(later(load, 'watch'))
  return parent
}

const SESSIONS = `
Examples:
  $ hintgate sessions list
  $ hintgate sessions show agent:reporting-bot
  $ hintgate sessions reset agent:reporting-bot

A session keeps which of three things it has touched: private data, untrusted content, external communication. The call that would
bring the third asks a person. Resetting forgets them; a running gateway notices at once.

Exit codes: 0 done, 1 there is no such session, 2 wrong usage.`

export function sessionsCommand(): Command {
  const about = 'what sessions have touched, and the risk of it'
  const { parent, addPlaced: add } = createFamily('sessions', about, SESSIONS)
  const load = () => import('../run/run-sessions.ts')
  add('list', 'sessions that have touched anything, newest first').action(later(load, 'list'))
  add('show <id>', 'one session, with the calls that brought each risk factor').action(later(load, 'show'))
  add('reset <id>', 'forget what a session has touched').action(later(load, 'reset'))
  return parent
}

const AUDIT = `
Examples:
  $ hintgate audit tail -f
  $ hintgate audit query --agent reporting-bot --since 24h --verdict deny
  $ hintgate audit export --since 2026-11-01 --format ocsf > calls.jsonl
  $ hintgate audit verify
  $ hintgate audit prune --before 90d

Every call is in the log, with who made it, what for, the verdict and its reasons, and how it ended. Secrets in arguments
are masked before they are stored. No gateway needs to be running.

Exit codes: 0 done, 1 failed (verify: something is wrong with the log), 2 wrong usage or config.`

export function auditCommand(): Command {
  const { parent, add, addPlaced } = createFamily(
    'audit',
    'what was called, by whom, and what came of it',
    AUDIT,
  )
  const read = () => import('../audit/audit-read.ts')
  const keep = () => import('../audit/audit-keep.ts')
  const until = ['--until <when>', 'only calls before: 2h (ago), a date or a moment'] as const
  addFilters(addPlaced('tail', 'the last calls, oldest first'))
    .option('-n, --limit <count>', 'how many (default: 20)', parseCount)
    .option('-f, --follow', 'go on with what comes, until interrupted')
    .action(later(read, 'tail'))
  addFilters(addPlaced('query', 'find calls, newest first'))
    .option(...until)
    .option('--request <id>', 'one call, with everything that is known of it')
    .option('-n, --limit <count>', 'how many (default: 50)', parseCount)
    .option('--cursor <cursor>', 'go on where the page before ended')
    .action(later(read, 'query'))
  addFilters(addPlaceOptions(add('export', 'all calls, newest first, one JSON object on each line')))
    .option(...until)
    .addOption(
      oneOf('--format <format>', 'ocsf: events of class 6003, API Activity', ['jsonl', 'ocsf']).default(
        'jsonl',
      ),
    )
    .action(later(read, 'exportCalls'))
  addPlaced('verify', 'prove that no row was edited, removed or moved')
    .option(
      '--heads <file>',
      'also prove that the ends which an earlier `verify --json` printed are still there',
    )
    .option('--other-keys', 'chains that were sealed with another key are no problem')
    .action(later(keep, 'verify'))
  addPlaced('prune', 'forget old calls; the rest can still be verified')
    .requiredOption('--before <when>', 'calls before: 90d (ago), a date or a moment')
    .action(later(keep, 'prune'))
  return parent
}

function addFilters(command: Command): Command {
  return command
    .option('--agent <name>', 'only calls of this agent, or person:NAME')
    .option('--server <name>', 'only calls of this server')
    .option('--tool <name>', 'only calls of this tool: tool, or server:tool')
    .addOption(oneOf('--variant <variant>', 'only calls of this kind', ['read', 'write', 'destructive']))
    .addOption(oneOf('--verdict <verdict>', 'only calls with this verdict', AUDIT_VERDICTS))
    .option(
      '--outcome <outcome>',
      'only calls that ended so: answered, failed, unknown, …, or a code such as policy_denied',
    )
    .option('--since <when>', 'only calls since: 2h (ago), a date or a moment')
}

const STORE = `
Examples:
  $ hintgate store migrate
  $ hintgate store copy --from sqlite:data/hintgate.db --to postgres://hintgate@db.example/hintgate

Copying takes along tokens, definitions with their reviews, overrides, approvals, sessions and the audit log with its
chains; results that were kept for agents are not copied. Stop the gateway first: what it writes later stays behind.
Tokens and seals also need the secret key in Hintgate's home folder. A password is better off in PGPASSWORD or in
~/.pgpass than in an address, where others may see it.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

export function storeCommand(): Command {
  const { parent, add } = createFamily('store', 'where everything is kept: SQLite or PostgreSQL', STORE)
  const load = () => import('../run/run-store.ts')
  addPlaceOptions(addJson(add('migrate', 'bring the schema of the store up to date'))).action(
    later(load, 'migrate'),
  )
  addJson(add('copy', 'copy everything from SQLite to an empty PostgreSQL database'))
    .requiredOption('--from <url>', 'sqlite:PATH')
    .requiredOption('--to <url>', 'postgres://USER@HOST/DATABASE')
    .action(later(load, 'copy'))
  return parent
}

const CODES = `
Exit codes: 0 all is well, 1 a policy is wrong or a case failed, 2 wrong usage, config or unreadable file.`

const POLICY = `
Examples:
  $ hintgate policy check policies/*.yaml
  $ hintgate policy test policies/cases/default.yaml
  $ hintgate policy explain crm:delete_contact '{"id": 7}' --as reporting-bot
  $ hintgate policy replay new/*.yaml --last 5000
${CODES}`

export function policyCommand(): Command {
  const about = 'the rules that allow, ask and deny: check them, test them, see what they do'
  const { parent, add } = createFamily('policy', about, POLICY)
  const files = () => import('../policy/policy-check.ts')
  addSources(add('check [files...]', 'read policy files and list everything that is wrong with them')).action(
    later(files, 'check'),
  )
  addSources(add('test <cases...>', 'hold the rules against cases: this call, that verdict'))
    .option('--policy <file>', 'policies to test instead of those that the cases name', collect)
    .action(later(files, 'test'))
  const explain = add(
    'explain <server:tool> [args]',
    'what would become of a call, step by step; nothing is called',
  )
    .option('--arg <key=value>', 'one argument; may be given several times', collect)
    .option('--as <agent>', 'who calls (default: you, with every permission)')
    .option('--variant <variant>', 'how it is called: read, write or destructive (default: as it needs)')
    .option('--session <id>', 'in which session (default: that of the caller)')
    .action(later(() => import('../policy/policy-explain.ts'), 'explain'))
  addPlaceOptions(addJson(explain))
  const replay = add(
    'replay <files...>',
    'what these policies would have done to recorded calls, beside those of the config',
  )
    .option('--last <calls>', 'how many calls, newest first (default: 1000)', parseCount)
    .action(later(() => import('../policy/policy-replay.ts'), 'replay'))
  addPlaceOptions(addJson(replay))
  return parent
}

function addSources(command: Command): Command {
  const placed = command
    .option('-c, --config <file>', 'whose policies to use if no files are named (default: the usual places)')
    .option('--home <folder>', "Hintgate's own folder, one of those places (default: ~/.hintgate)")
  return addJson(placed).addHelpText('after', CODES)
}
