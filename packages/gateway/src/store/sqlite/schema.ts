/** The tables as the newest migration leaves them. Times are milliseconds since the epoch; JSON is text. */
export interface Tables {
  tokens: TokenRow
  eras: EraRow
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
