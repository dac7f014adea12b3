import type { DatabaseSyncInstance } from '@photostructure/sqlite'
import { collectChunks } from '../audit-log/chunk.ts'
import type { AuditRow } from '../audit-store.ts'
import { type Migration as AnyMigration, buildStatements } from '../sql/tables.ts'
import { prepareChunks } from './audit-store.ts'

export type Migration = AnyMigration<(database: DatabaseSyncInstance) => void>

const { table, index, countChanges, ...common } = buildStatements({
  schema: '',
  types: { text: 'text', bigint: 'integer' },
  ending: ' strict',
  trigger: (name, event, on) => `create trigger ${name} after ${event} on ${on}
    begin update changes set version = version + 1; end`,
})

const isEnding = `where kind <> 'intent'`

/** Ordered by version, without gaps. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, statements: [table('tokens'), table('eras')] },
  {
    version: 2,
    statements: [
      table('results'),
      index('results_by_owner', 'results (owner, created_at, size)'),
      index('results_by_expiry', 'results (expires_at)'),
      // Results are written often and do not count as changes, so a separate table counts the commits that do.
      table('changes'),
      'insert into changes (id, version) values (1, 1)',
      ...countChanges('tokens', 'eras'),
    ],
  },
  {
    version: 3,
    statements: [
      table('definitions'),
      table('definition_versions'),
      table('overrides'),
      ...countChanges('definitions', 'definition_versions', 'overrides'),
    ],
  },
  { version: 4, statements: common.approvalsAndSessions },
  {
    version: 5,
    // Audit rows do not count as changes. The indexes leave out calls that were allowed and answered, because most
    // calls are.
    statements: [
      table('audit_writers'),
      table('audit_rows', 'id integer not null primary key,'),
      'create unique index audit_by_chain on audit_rows (writer, seq)',
      index('audit_by_request', 'audit_rows (request)'),
      index('audit_by_agent', `audit_rows (agent, at) ${isEnding}`),
      index('audit_by_time', `audit_rows (at, server, tool) ${isEnding}`),
      index('audit_by_verdict', `audit_rows (verdict, at) ${isEnding} and verdict <> 'allow'`),
      index('audit_by_code', `audit_rows (code, at) ${isEnding} and code <> ''`),
      index('audit_by_outcome', `audit_rows (outcome, at) ${isEnding} and outcome <> 'answered'`),
    ],
  },
  {
    version: 6,
    statements: [
      table('override_history', 'id integer primary key,'),
      index('override_history_tool', 'override_history (server, tool)'),
      `insert into override_history (server, tool, hints, set_by, set_at)
        select server, tool, hints, set_by, set_at from overrides order by set_at`,
    ],
  },
  { version: 7, statements: common.secrets },
  {
    version: 8,
    // From this version on, a batch of audit rows is stored as one row (docs/decisions/0022).
    statements: [
      table('audit_chunks', 'id integer not null primary key autoincrement,'),
      index('audit_chunks_by_chain', 'audit_chunks (writer, last_seq)'),
      index('audit_chunks_by_time', 'audit_chunks (until, id, since, about) where endings > 0'),
      `${table('audit_facets')}, without rowid`,
      `${table('audit_spans')}, without rowid`,
    ],
    convert: convertRows,
    afterwards: ['drop table audit_rows'],
  },
  { version: 9, statements: common.resultRuns },
  { version: 10, statements: common.openQuestions },
  // From this version on, chunks are packed by shape. Older versions of Hintgate cannot read them; existing chunks are
  // not converted.
  { version: 11, statements: [] },
  {
    version: 12,
    statements: [table('passages', 'id integer not null primary key autoincrement,'), ...common.passages],
  },
  { version: 13, statements: common.tokenUses },
  { version: 14, statements: common.reachPeople },
  { version: 15, statements: common.tasks },
  { version: 16, statements: common.lastingAnswers },
]

/** Packs the audit rows of schema version 5 into chunks. Each chain keeps its order. */
function convertRows(database: DatabaseSyncInstance): void {
  const insert = prepareChunks(database)
  const next = database.prepare('select * from audit_rows where id > ? order by id limit 1000')
  const chunks = collectChunks()
  for (let after = 0; ; ) {
    const rows = next.all(after) as unknown as (AuditRow & { readonly id: number })[]
    for (const chunk of chunks.add(rows)) insert(chunk)
    const last = rows.at(-1)
    if (last === undefined) break
    after = last.id
  }
  for (const chunk of chunks.rest()) insert(chunk)
}
