import type { Generated } from 'kysely'

/** The tables as the newest migration leaves them. Times are milliseconds since the epoch; JSON is text. */
export interface Tables {
  tokens: TokenRow
  eras: EraRow
  results: ResultRow
  result_runs: ResultRunRow
  definitions: DefinitionRow
  definition_versions: DefinitionVersionRow
  overrides: OverrideRow
  override_history: OverrideHistoryRow
  approvals: ApprovalRow
  sessions: SessionRow
  audit_writers: AuditWriterRow
  audit_chunks: AuditChunkRow
  audit_facets: AuditFacetRow
  audit_spans: AuditSpanRow
  secrets: SecretRow
}

export interface TokenRow {
  name: string
  kind: 'agent' | 'person'
  hash: string
  hint: string
  scope: string
  created_at: number
  expires_at: number | null
  revoked_at: number | null
  last_used_at: number | null
}

interface SecretRow {
  name: string
  sealed: string
}

interface EraRow {
  server: string
  definition: string
  era: 'legacy' | 'modern'
}

export interface ResultRow {
  handle: string
  owner: string
  tool: string
  created_at: number
  expires_at: number
  /** Bytes of the body and the runs, so that sums need not read them. */
  size: number
  body: string
}

export interface ResultRunRow {
  handle: string
  number: number
  body: string
}

export interface DefinitionRow {
  server: string
  kind: 'tool' | 'prompt' | 'template' | 'instructions'
  name: string
  current: string | null
  is_disabled: number
}

export interface DefinitionVersionRow {
  server: string
  kind: DefinitionRow['kind']
  name: string
  fingerprint: string
  definition: string
  first_seen_at: number
  last_seen_at: number
  verdict: 'approved' | 'rejected' | null
  reviewed_by: string | null
  reviewed_at: number | null
  note: string | null
}

interface OverrideRow {
  server: string
  tool: string
  hints: string
  set_by: string
  set_at: number
}

interface OverrideHistoryRow {
  /** In the order of writing. */
  id: number
  server: string
  tool: string
  /** Null: it was removed. */
  hints: string | null
  set_by: string
  set_at: number
}

export interface ApprovalRow {
  id: string
  principal: string
  session: string
  tool: string
  binding: string
  channel: 'any' | 'person'
  shown: string
  state: 'pending' | 'approved' | 'denied' | 'spent' | 'standing'
  created_at: number
  expires_at: number
  decided_by: string | null
  decided_via: string | null
  decided_at: number | null
  note: string | null
}

export interface SessionRow {
  id: string
  principal: string
  legs: string
  used_at: number
}

export interface AuditWriterRow {
  id: number
  name: string
  started_at: number
  place: string
  pid: number
  process_start: string
  key_id: string
  seen_at: number
  closed_at: number | null
  open_from: number
  head_seq: number
  head_hash: string
  head_mac: string
  sealed_seq: number
  sealed_hash: string
  sealed_mac: string
}

/** Rows that follow each other in one chain; see `store/audit-log/`. */
interface AuditChunkRow {
  /** In the order of writing, over all writers. */
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

interface AuditFacetRow {
  facet: string
  until: number
  since: number
  chunk: number
}

interface AuditSpanRow {
  series: string
  first: number
  last: number
  chunk: number
}
