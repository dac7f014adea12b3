import { Command } from 'commander'
import { AUDIT_SEVERITIES, AUDIT_VERDICTS } from '../../audit/entry.ts'
import { addJson, addPlaceOptions, collect, createFamily, loadAndRun, oneOf, parseCount } from './kit.ts'

const TOKENS = `
Examples:
  $ hintgate tokens create reporting-bot --permissions retrieve_tools,read --servers db,crm --expires 30d
  $ hintgate tokens create support-bot --permissions read,write --sets support
  $ hintgate tokens list
  $ hintgate tokens revoke reporting-bot

Permissions: retrieve_tools, call_tool_read, call_tool_write and call_tool_destructive, or read, write and
destructive for short. In --servers, --tools and --sets, * matches any characters; a tool is TOOL or SERVER:TOOL.
A running gateway applies every change immediately.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

export function tokensCommand(): Command {
  const about = 'manage tokens: who can use the gateway, and for what'
  const { parent, addPlaced: add } = createFamily('tokens', about, TOKENS)
  const load = () => import('../run/run-tokens.ts')
  add('create <name>', 'create a token; it is shown only once')
    .option('--permissions <list>', "the token's permissions (default: retrieve_tools,call_tool_read)")
    .option('--servers <list>', 'servers that the agent can reach (default: *)')
    .option('--tools <list>', 'tools that the agent can use (default: all tools of those servers)')
    .option('--sets <list>', 'toolsets that the agent can use; it can then use no other endpoint')
    .option('--rate <rate>', "rate limit for the agent's calls, such as 60/m (default: no limit)")
    .option('--states-task', 'let the client state its user\'s task (_meta["io.hintgate/task"])')
    .option(
      '--confirm <list>',
      'which calls need approval, such as write=always,destructive=never (default: from the config)',
    )
    .option('--expires <when>', 'time at which the token expires: 30d, 12h or a date (default: never)')
    .option('--admin', 'create a token for a person instead of an agent')
    .option('--role <role>', "the person's role: viewer, approver, operator or admin (default: admin)")
    .action(loadAndRun(load, 'create'))
  add('list', 'list all tokens, including revoked ones').action(loadAndRun(load, 'list'))
  add('show <name>', 'show one token', '  $ hintgate tokens show reporting-bot').action(
    loadAndRun(load, 'show'),
  )
  add('revoke <name>', 'revoke a token immediately').action(loadAndRun(load, 'revoke'))
  add(
    'rotate <name>',
    "replace a token's secret; its name and scope stay, and the old secret stops working immediately",
    '  $ hintgate tokens rotate reporting-bot',
  ).action(loadAndRun(load, 'rotate'))
  return parent
}

const APPROVALS = `
Examples:
  $ hintgate approvals list
  $ hintgate approvals show ap_3dk0vt8wyq1m5a
  $ hintgate approvals approve ap_3dk0vt8wyq1m5a
  $ hintgate approvals deny ap_3dk0vt8wyq1m5a --note "not before the backup"
  $ hintgate approvals approve ap_3dk0vt8wyq1m5a --remember arguments --for 1d
  $ hintgate approvals grants
  $ hintgate approvals grants revoke gr_3dk0vt8wyq1m5a
  $ hintgate approvals watch

An approval allows one call by the same agent with the same arguments, and expires soon. A running gateway
applies every decision immediately.

Exit codes: 0 done, 1 failed (for example, already decided), 2 wrong usage, 10 you are not allowed to approve this call.`

export function approvalsCommand(): Command {
  const about = 'list and answer calls that wait for approval'
  const { parent, addPlaced: add } = createFamily('approvals', about, APPROVALS)
  const load = () => import('../run/run-approvals.ts')
  const addDecision = (usage: string, description: string): Command =>
    add(usage, description)
      .option('--by <name>', 'name to record as the person who decides (default: your user name)')
      .option('--note <text>', 'note for the agent and the audit log')
  add('list', 'list pending approvals').action(loadAndRun(load, 'list'))
  add('show <id>', 'show one approval, with the whole call').action(loadAndRun(load, 'show'))
  addDecision('approve <id>', 'allow the call once')
    .option(
      '--remember <what>',
      'do not ask again for the same session, arguments or target, or for everything the rule asks about, if the rules allow that',
    )
    .option('--for <duration>', 'how long --remember covers further calls, such as 1d (default: 1h)')
    .option('--until <when>', 'like --for, but as a day or a time')
    .action(loadAndRun(load, 'decide', 'approved'))
  addDecision('deny <id>', 'refuse the call').action(loadAndRun(load, 'decide', 'denied'))
  add('watch', 'show approvals as they arrive, until interrupted').action(loadAndRun(load, 'watch'))
  addGrants(parent)
  return parent
}

const GRANTS = `
Examples:
  $ hintgate approvals grants list --all
  $ hintgate approvals grants revoke gr_3dk0vt8wyq1m5a

A lasting approval covers further calls by the same agent, until it expires or a person revokes it. It ends as well when
the tool's definition or the rules change. A running gateway applies a revocation to the next call.

Exit codes: 0 done, 1 failed (for example, not in force), 2 wrong usage.`

function addGrants(parent: Command): void {
  const load = () => import('../run/run-grants.ts')
  const { parent: grants, addPlaced: add } = createFamily(
    'grants',
    'list and revoke approvals that cover further calls',
    GRANTS,
  )
  const list = new Command('list')
    .description('list the lasting approvals in force')
    .addHelpText('after', '\nExample:\n  $ hintgate approvals grants list --all')
  addJson(addPlaceOptions(list))
    .option('--all', 'list also those that were revoked or have expired')
    .action(loadAndRun(load, 'list'))
  grants.addCommand(list, { isDefault: true })
  add('revoke <id>', 'end a lasting approval')
    .option('--by <name>', 'name to record as the person who revokes it (default: your user name)')
    .action(loadAndRun(load, 'revoke'))
  parent.addCommand(grants)
}

const SESSIONS = `
Examples:
  $ hintgate sessions list
  $ hintgate sessions show agent:reporting-bot
  $ hintgate sessions reset agent:reporting-bot

A session records which of three risk factors it has touched: private data, untrusted content and external
communication. The call that would add the third needs approval. A reset clears the risk factors; a running gateway
applies it immediately.

Exit codes: 0 done, 1 unknown session, 2 wrong usage.`

export function sessionsCommand(): Command {
  const about = 'show the risk factors that sessions have touched'
  const { parent, addPlaced: add } = createFamily('sessions', about, SESSIONS)
  const load = () => import('../run/run-sessions.ts')
  add('list', 'list sessions that have touched a risk factor, newest first').action(loadAndRun(load, 'list'))
  add('show <id>', 'show one session, with the call that caused each risk factor').action(
    loadAndRun(load, 'show'),
  )
  add('reset <id>', "clear a session's risk factors").action(loadAndRun(load, 'reset'))
  return parent
}

const AUDIT = `
Examples:
  $ hintgate audit tail -f
  $ hintgate audit query --agent reporting-bot --since 24h --verdict deny
  $ hintgate audit export --since 2026-11-01 --format ocsf > calls.jsonl
  $ hintgate audit verify
  $ hintgate audit prune --before 90d

The log contains every call, with the caller, the intent, the verdict and its reasons, and the outcome. Secrets in arguments
are masked before they are stored. These commands work without a running gateway.

Exit codes: 0 done, 1 failed (verify: the log is not intact), 2 wrong usage or config.`

export function auditCommand(): Command {
  const { parent, add, addPlaced } = createFamily(
    'audit',
    'query, export, verify and prune the audit log',
    AUDIT,
  )
  const read = () => import('../audit/audit-read.ts')
  const keep = () => import('../audit/audit-keep.ts')
  const until = [
    '--until <when>',
    'only calls before this time: an age such as 2h, a date or a time',
  ] as const
  addFilters(addPlaced('tail', 'show the most recent calls, oldest first'))
    .option('-n, --limit <count>', 'number of calls (default: 20)', parseCount)
    .option('-f, --follow', 'show new calls as they arrive, until interrupted')
    .action(loadAndRun(read, 'tail'))
  addFilters(addPlaced('query', 'find calls, newest first'))
    .option(...until)
    .option('--request <id>', 'show one call in full')
    .option('-n, --limit <count>', 'number of calls (default: 50)', parseCount)
    .option('--cursor <cursor>', 'continue after the previous page')
    .action(loadAndRun(read, 'query'))
  addFilters(addPlaceOptions(add('export', 'print all calls, newest first, one JSON object per line')))
    .option(...until)
    .addOption(
      oneOf('--format <format>', 'jsonl, or ocsf: events of class 6003 (API Activity)', [
        'jsonl',
        'ocsf',
      ]).default('jsonl'),
    )
    .action(loadAndRun(read, 'exportCalls'))
  addPlaced('verify', 'verify that no row was edited, removed or reordered')
    .option(
      '--heads <file>',
      'also verify that the log still contains the chain ends in this file, which an earlier `verify --json` printed',
    )
    .option('--other-keys', 'accept chains that were sealed with another key')
    .action(loadAndRun(keep, 'verify'))
  addPlaced('prune', 'delete old calls; the rest of the log can still be verified')
    .requiredOption('--before <when>', 'delete calls before this time: an age such as 90d, a date or a time')
    .action(loadAndRun(keep, 'prune'))
  return parent
}

function addFilters(command: Command): Command {
  return command
    .option('--agent <name>', 'only calls by this agent, or person:NAME')
    .option('--server <name>', 'only calls to this server')
    .option('--tool <name>', 'only calls to this tool: tool, or server:tool')
    .addOption(oneOf('--variant <variant>', 'only calls of this kind', ['read', 'write', 'destructive']))
    .addOption(oneOf('--verdict <verdict>', 'only calls with this verdict', AUDIT_VERDICTS))
    .addOption(oneOf('--severity <level>', 'only calls with this severity', AUDIT_SEVERITIES))
    .option(
      '--outcome <outcome>',
      'only calls with this outcome (answered, failed, unknown, …) or code (such as policy_denied)',
    )
    .option('--since <when>', 'only calls since this time: an age such as 2h, a date or a time')
}

const STORE = `
Examples:
  $ hintgate store migrate
  $ hintgate store copy --from sqlite:data/hintgate.db --to postgres://hintgate@db.example/hintgate

copy takes tokens, definitions with their reviews, overrides, approvals, sessions and the audit log with its chains.
It does not copy stored results. Stop the gateway first, because anything that it writes later is not copied. Tokens and
seals also need the secret key in Hintgate's home folder. Put the password in PGPASSWORD or ~/.pgpass, not in the
address, because other users of this machine can see the address in process lists.

Exit codes: 0 done, 1 failed, 2 wrong usage or config.`

export function storeCommand(): Command {
  const { parent, add } = createFamily('store', 'migrate or copy the store: SQLite or PostgreSQL', STORE)
  const load = () => import('../run/run-store.ts')
  addPlaceOptions(addJson(add('migrate', "update the store's schema"))).action(loadAndRun(load, 'migrate'))
  addJson(add('copy', 'copy everything from SQLite to an empty PostgreSQL database'))
    .requiredOption('--from <url>', 'source: sqlite:PATH')
    .requiredOption('--to <url>', 'target: postgres://USER@HOST/DATABASE')
    .action(loadAndRun(load, 'copy'))
  return parent
}

const CODES = `
Exit codes: 0 no problems, 1 a policy is invalid or a case failed, 2 wrong usage or config, or unreadable file.`

const POLICY = `
Examples:
  $ hintgate policy check policies/*.yaml
  $ hintgate policy test policies/cases/default.yaml
  $ hintgate policy explain crm:delete_contact '{"id": 7}' --as reporting-bot
  $ hintgate policy explain files:file:///etc/passwd --kind resource
  $ hintgate policy replay new/*.yaml --last 5000
  $ hintgate policy suggest --since 30d
${CODES}`

export function policyCommand(): Command {
  const about = 'check, test and explain the rules that allow, ask and deny'
  const { parent, add } = createFamily('policy', about, POLICY)
  const files = () => import('../policy/policy-check.ts')
  addSources(add('check [files...]', 'check policy files and list all problems')).action(
    loadAndRun(files, 'check'),
  )
  addSources(add('test <cases...>', 'test the rules with cases: calls and their expected verdicts'))
    .option('--policy <file>', 'policies to test instead of those that the case files name', collect)
    .action(loadAndRun(files, 'test'))
  const explain = add(
    'explain <server:tool> [args]',
    'show the verdict on a call step by step, without making the call',
  )
    .option('--arg <key=value>', 'one argument; repeatable', collect)
    .option('--as <agent>', 'act as this agent (default: you, with every permission)')
    .option(
      '--variant <variant>',
      'variant: read, write or destructive (default: the variant that the tool requires)',
    )
    .option('--session <id>', "session of the call (default: the caller's session)")
    .addOption(
      oneOf('--kind <kind>', 'tool, or resource (server:uri) or prompt (server:name) for a request', [
        'tool',
        'resource',
        'prompt',
      ]).default('tool'),
    )
    .action(loadAndRun(() => import('../policy/policy-explain.ts'), 'explain'))
  addPlaceOptions(addJson(explain))
  const replay = add(
    'replay <files...>',
    "show how recorded calls would be decided under these policies instead of the config's",
  )
    .option('--last <calls>', 'number of calls, newest first (default: 1000)', parseCount)
    .action(loadAndRun(() => import('../policy/policy-replay.ts'), 'replay'))
  addPlaceOptions(addJson(replay))
  const suggest = add('suggest', 'suggest rules that remove questions which people always approve')
    .option('--since <when>', 'read the log from then on: an age such as 30d, or a date (default: 30d)')
    .option('--min <count>', 'approved questions that a rule must be based on (default: 3)', parseCount)
    .option('--hijacks <folder>', 'recorded attacks to replay (default: hijacks/ in the home folder)')
    .option('--accept <id>', 'write this suggestion as a rule; repeatable; "all" for all of them', collect)
    .option('--author <name>', 'person who answers for the accepted rules')
    .option(
      '--expires <when>',
      'end of the accepted rules: a duration or a date (default: 30d, at most a year)',
    )
    .option('--reason <text>', 'reason to write into the rules (default: what was recorded)')
    .option(
      '--out <file>',
      'policy file to add the rules to (default: policies/accepted.yaml beside the config)',
    )
    .action(loadAndRun(() => import('../policy/policy-suggest.ts'), 'suggest'))
  addPlaceOptions(addJson(suggest))
  return parent
}

function addSources(command: Command): Command {
  const placed = command
    .option(
      '-c, --config <file>',
      'config whose policies are used if you name no files (default: $HINTGATE_CONFIG, ./hintgate.json, then the home folder)',
    )
    .option(
      '--home <folder>',
      "Hintgate's own folder, where the config is looked for last (default: ~/.hintgate)",
    )
  return addJson(placed).addHelpText('after', CODES)
}
