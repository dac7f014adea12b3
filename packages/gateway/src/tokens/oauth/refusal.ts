/** Why a credential does not count. */
export interface Refusal {
  /** `no_grant`: genuine, and good for nothing here. */
  readonly code: 'malformed' | 'unknown' | 'revoked' | 'expired' | 'wrong_audience' | 'no_grant'
}
