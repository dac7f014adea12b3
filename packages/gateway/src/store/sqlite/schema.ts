/** The tables as the newest migration leaves them. Times are milliseconds since the epoch; JSON is text. */
export interface Tables {
  tokens: TokenRow
  eras: EraRow
  results: ResultRow
  definitions: DefinitionRow
  definition_versions: DefinitionVersionRow
  overrides: OverrideRow
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
  /** Bytes of the body, so that sums need not read bodies. */
  size: number
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
