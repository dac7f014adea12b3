/** One step from a schema version to the next. A released step is never edited; changes need a new step. */
export interface Migration<Convert> {
  readonly version: number
  readonly statements: readonly string[]
  /** Runs between `statements` and `afterwards`, for conversions that SQL alone cannot do. */
  readonly convert?: Convert
  readonly afterwards?: readonly string[]
}

/**
 * The columns of each table, as the migration that created it defined them. `id` is added in databases that number rows
 * explicitly.
 */
const COLUMNS = {
  changes: `
    id integer not null primary key check (id = 1),
    version bigint not null`,
  tokens: `
    name text not null primary key,
    kind text not null check (kind in ('agent', 'person')),
    hash text not null unique, hint text not null, scope text not null, created_at bigint not null,
    expires_at bigint, revoked_at bigint, last_used_at bigint`,
  token_uses: 'name text not null primary key, used_at bigint not null',
  eras: `
    server text not null, definition text not null,
    era text not null check (era in ('legacy', 'modern')),
    primary key (server, definition)`,
  results: `
    handle text not null primary key, owner text not null, tool text not null,
    created_at bigint not null, expires_at bigint not null, size bigint not null, body text not null`,
  definitions: `
    server text not null,
    kind text not null check (kind in ('tool', 'prompt', 'template', 'instructions')),
    name text not null, current text, is_disabled integer not null default 0,
    primary key (server, kind, name)`,
  definition_versions: `
    server text not null, kind text not null, name text not null, fingerprint text not null,
    definition text not null, first_seen_at bigint not null, last_seen_at bigint not null,
    verdict text check (verdict in ('approved', 'rejected')),
    reviewed_by text, reviewed_at bigint, note text,
    primary key (server, kind, name, fingerprint)`,
  overrides: `
    server text not null, tool text not null, hints text not null, set_by text not null,
    set_at bigint not null,
    primary key (server, tool)`,
  override_history: `
    server text not null, tool text not null, hints text, set_by text not null,
    set_at bigint not null`,
  approvals: `
    id text not null primary key, principal text not null, session text not null,
    tool text not null, binding text not null,
    channel text not null check (channel in ('any', 'person')),
    shown text not null,
    state text not null check (state in ('pending', 'approved', 'denied', 'spent', 'standing')),
    created_at bigint not null, expires_at bigint not null, decided_by text, decided_via text,
    decided_at bigint, note text`,
  sessions: `
    id text not null primary key, principal text not null, legs text not null,
    used_at bigint not null`,
  passages: `
    principal text not null, session text not null, at bigint not null, sealed text not null`,
  audit_writers: `
    id bigint not null primary key, name text not null unique, started_at bigint not null,
    place text not null, pid bigint not null, process_start text not null, key_id text not null,
    seen_at bigint not null, closed_at bigint, open_from bigint not null default 1,
    head_seq bigint not null default 0, head_hash text not null default '',
    head_mac text not null default '', sealed_seq bigint not null default 0,
    sealed_hash text not null default '', sealed_mac text not null default ''`,
  audit_rows: `
    writer bigint not null, seq bigint not null, at bigint not null,
    kind text not null check (kind in ('intent', 'outcome', 'call')),
    request text not null, agent text not null, server text not null, tool text not null,
    variant text not null, verdict text not null, outcome text not null, code text not null,
    body text not null, prev text not null, hash text not null`,
  rates: `
    key text not null primary key, points integer not null, expire bigint`,
  secrets: 'name text not null primary key, sealed text not null',
  notifications: `
    approval text not null, channel text not null,
    kind text not null check (kind in ('asked', 'closed')),
    state text not null check (state in ('sending', 'sent', 'failed', 'over')),
    attempts integer not null, at bigint not null, until bigint not null,
    reference text, error text,
    primary key (approval, channel, kind)`,
  approval_votes: `
    approval text not null references approvals (id) on delete cascade,
    person text not null, via text not null, at bigint not null,
    primary key (approval, person)`,
  push_subscribers: `
    id text not null primary key, person text not null, sealed text not null,
    created_at bigint not null`,
  tasks: `
    id text not null primary key, principal text not null,
    state text not null check (state in
      ('waiting', 'claimed', 'sent', 'asking', 'remote', 'completed', 'failed', 'cancelled')),
    approval text, created_at bigint not null, updated_at bigint not null, expires_at bigint not null,
    version bigint not null, holder text, seen_at bigint, call text not null, questions text,
    ending text, note text, size bigint not null`,
  audit_chunks: `
    writer bigint not null, first_seq bigint not null, last_seq bigint not null,
    since bigint not null, until bigint not null, endings bigint not null, about text not null,
    rows text not null`,
  audit_facets: `
    facet text not null, until bigint not null, chunk bigint not null, since bigint not null,
    primary key (facet, until, chunk)`,
  audit_spans: `
    series text not null, last bigint not null, first bigint not null, chunk bigint not null,
    primary key (series, last, first, chunk)`,
  result_runs: `
    handle text not null references results (handle) on delete cascade,
    number bigint not null, body text not null,
    primary key (handle, number)`,
}

const ANY_CHANGE = ['insert', 'update', 'delete']

/**
 * The writes that other processes must be told of. For tokens and definitions, only what an operator changes counts:
 * not a token's last use, and not a new definition from a server.
 */
const COUNTED = {
  tokens: ['insert', 'update of name, kind, hash, hint, scope, created_at, expires_at, revoked_at', 'delete'],
  eras: ANY_CHANGE,
  definitions: ['update of is_disabled'],
  definition_versions: ['update of verdict, reviewed_by, reviewed_at'],
  overrides: ANY_CHANGE,
  // Waiting calls must learn of answers, and of approvals that a person withdraws.
  approvals: ['insert', 'update'],
  // A vote changes how many people still have to agree.
  approval_votes: ['insert'],
  sessions: ['delete'],
  secrets: ANY_CHANGE,
  // Every process must learn of a task that waits, of its client's answers and of its end; not of each sign of life.
  tasks: ['insert', 'update of state, questions, ending'],
} as const

type Table = keyof typeof COLUMNS

interface SqlDialect {
  readonly schema: string
  readonly types: { readonly text: string; readonly bigint: string }
  /** SQL to append after a table's columns. */
  readonly ending: string
  /** Creates a trigger that counts changes to a table, so other processes are notified. */
  readonly trigger: (name: string, event: string, table: string) => string
}

/**
 * Builds the statements in one database's SQL dialect, and whole migration steps that are the same for every database.
 */
export function buildStatements({ schema, types, ending, trigger }: SqlDialect) {
  const table = (name: Table, id = ''): string => {
    const columns = COLUMNS[name]
      .replace('references ', `references ${schema}`)
      .replaceAll(/\b(?:text|bigint)\b/g, type => types[type as keyof typeof types])
    return `create table ${schema}${name} (${id}${columns})${ending}`
  }
  const index = (name: string, on: string): string => `create index ${name} on ${schema}${on}`
  const countChanges = (...tables: readonly (keyof typeof COUNTED)[]): string[] =>
    tables.flatMap(of =>
      COUNTED[of].map(event => trigger(`${of}_${event.split(' ', 1)[0]}`, event, schema + of)),
    )

  return {
    table,
    index,
    countChanges,
    approvalsAndSessions: [
      table('approvals'),
      index('approvals_by_binding', 'approvals (binding, state)'),
      index('approvals_by_expiry', 'approvals (expires_at)'),
      index('approvals_by_principal', 'approvals (principal, state)'),
      table('sessions'),
      index('sessions_by_use', 'sessions (used_at)'),
      ...countChanges('approvals', 'sessions'),
    ],
    /** Secrets, sealed with the secret key. That key is not in the store. */
    secrets: [table('secrets'), ...countChanges('secrets')],
    /**
     * From this step on, results are stored in runs of about a page. Earlier results are deleted rather than converted:
     * they would expire within the hour anyway.
     */
    resultRuns: [`delete from ${schema}results`, table('result_runs')],
    /**
     * Indexes that cover the search for pending approvals. Reading the rows would be slow, because the text shown to a
     * person can be long.
     */
    openQuestions: [
      `drop index ${schema}approvals_by_binding`,
      index('approvals_by_binding', 'approvals (binding, state, expires_at)'),
      `drop index ${schema}approvals_by_principal`,
      index('approvals_by_principal', 'approvals (principal, state, expires_at)'),
      index('approvals_by_state', 'approvals (state, expires_at, id)'),
    ],
    /** The last use of tokens that are defined in the config. Those tokens have no row in `tokens`. */
    tokenUses: [table('token_uses')],
    /** What lasting approvals cover, and who ended them before their time. */
    lastingAnswers: [
      `alter table ${schema}approvals add column remembers ${types.text}`,
      `alter table ${schema}approvals add column revoked_by ${types.text}`,
      `alter table ${schema}approvals add column revoked_at ${types.bigint}`,
    ],
    /** Messages about approvals, votes where several people must agree, and browsers that receive notifications. */
    reachPeople: [
      table('notifications'),
      index('notifications_by_time', 'notifications (at)'),
      index('notifications_by_state', 'notifications (state, at)'),
      table('approval_votes'),
      table('push_subscribers'),
      ...countChanges('approval_votes'),
    ],
    /** Calls that outlive their requests. */
    tasks: [
      `alter table ${schema}approvals add column spent_by ${types.text}`,
      table('tasks'),
      index('tasks_by_principal', 'tasks (principal, state, updated_at)'),
      index('tasks_by_state', 'tasks (state, approval)'),
      index('tasks_by_expiry', 'tasks (expires_at)'),
      ...countChanges('tasks'),
    ],
    passages: [
      index('passages_by_principal', 'passages (principal, id)'),
      index('passages_by_session', 'passages (session)'),
      index('passages_by_time', 'passages (at)'),
    ],
  }
}
