import type { Generated } from 'kysely'
import type { StoredApproval } from '../approval-store.ts'
import type { AuditSeal, StoredWriter } from '../audit-store.ts'
import type { PushSubscriber, StoredNotification } from '../notification-store.ts'
import type { StoredPassages } from '../passage-store.ts'
import type { StoredSession } from '../session-store.ts'
import type {
  DefinitionKind,
  DefinitionVersion,
  Era,
  KeptResult,
  OverrideChange,
  Review,
  StoredOverride,
  StoredToken,
} from '../store.ts'
import type { StoredTask } from '../task-store.ts'

/**
 * The tables as they are after the newest migration. Times are milliseconds since the epoch, and JSON is stored as
 * text.
 */
export interface Tables {
  tokens: Row<Omit<StoredToken, 'scope'>> & { scope: string }
  token_uses: { name: string; used_at: number }
  eras: { server: string; definition: string; era: Era }
  /** `size` is the number of bytes of the body and the runs. It is stored to compute sums without reading them. */
  results: Row<KeptResult> & { size: number }
  result_runs: { handle: string; number: number; body: string }
  definitions: DefinitionKey & { current: string | null; is_disabled: Generated<number> }
  definition_versions: DefinitionVersionRow
  overrides: Omit<StoredOverride, 'hints' | 'by' | 'at'> & { hints: string } & SetBy
  /** `id` increases with every row. `hints` is null if the override was removed. */
  override_history: { id: Generated<number>; server: string; tool: string; hints: string | null } & SetBy
  approvals: ApprovalRow
  /**
   * `legs` contains the risk factors. The column keeps its original name, because renaming it would need a migration.
   */
  sessions: Row<Omit<StoredSession, 'riskFactors'>> & { legs: string }
  passages: Row<StoredPassages> & { id: Generated<number> }
  audit_writers: AuditWriterRow
  audit_chunks: AuditChunkRow
  audit_facets: { facet: string; until: number; since: number; chunk: number }
  audit_spans: { series: string; first: number; last: number; chunk: number }
  secrets: { name: string; sealed: string }
  /** `until` is the time at which another process may take over the claim. */
  notifications: Row<StoredNotification> & { until: number }
  approval_votes: { approval: string; person: string; via: string; at: number }
  push_subscribers: Row<PushSubscriber>
  /** `size` is the number of bytes of the call, or of its result once there is one. */
  tasks: Row<StoredTask> & { size: number }
}

/** Maps an object type to its row: names with underscores, and null instead of undefined. */
type Row<T> = {
  [K in keyof T & string as Underscored<K>]-?: Partial<Pick<T, K>> extends Pick<T, K>
    ? Exclude<T[K], undefined> | null
    : T[K]
}

type Underscored<S extends string> = S extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Underscored<Rest>}`
  : S

interface DefinitionKey {
  server: string
  kind: DefinitionKind
  name: string
}

interface SetBy {
  set_by: OverrideChange['by']
  set_at: OverrideChange['at']
}

export interface DefinitionVersionRow extends DefinitionKey, Row<Omit<DefinitionVersion, 'review'>> {
  verdict: Review['verdict'] | null
  reviewed_by: string | null
  reviewed_at: number | null
  note: string | null
}

export interface ApprovalRow extends Row<Omit<StoredApproval, 'decision'>> {
  decided_by: string | null
  decided_via: string | null
  decided_at: number | null
  note: string | null
}

type SealOf<N extends string> = { [K in keyof AuditSeal as `${N}_${K}`]: AuditSeal[K] }

interface AuditWriterRow
  extends Row<Omit<StoredWriter, 'head' | 'sealed' | 'openFrom'>>,
    SealOf<'head'>,
    Generate<SealOf<'sealed'> & { open_from: number }> {}

type Generate<T> = { [K in keyof T]: Generated<T[K]> }

/** A run of consecutive audit rows of one chain; see `store/audit-log/`. */
interface AuditChunkRow {
  /** Increases with every chunk, across all writers. */
  id: Generated<number>
  writer: number
  first_seq: number
  last_seq: number
  since: number
  until: number
  endings: number
  about: string
  rows: string
}

const names = new Map<string, string>()

/** Converts a row to an object. Null becomes undefined. */
export function fromRow<T>(row: Row<T>): T {
  const entries = Object.entries(row).filter(([, value]) => value !== null)
  return Object.fromEntries(entries.map(([column, value]) => [nameOf(column), value])) as T
}

function nameOf(column: string): string {
  const known = names.get(column)
  if (known !== undefined) return known
  const name = column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  names.set(column, name)
  return name
}
