import { HintgateError } from '../base/errors.ts'
import type { Remember } from '../policy/rules.ts'
import type { StoredApproval } from '../store/approval-store.ts'

/** A lasting approval that a person granted, or ended before its time. */
export interface GrantChange {
  readonly change: 'granted' | 'revoked'
  readonly grant: StoredApproval
  readonly by: string
  readonly via: string
  readonly at: number
}

/** What a person says about further calls. */
export interface Lasting {
  readonly remember?: Remember | undefined
  /** How long the further calls are covered, in milliseconds; an hour by default. */
  readonly forMs?: number | undefined
  /** True if the person can approve everything a rule asks about, which needs the role operator. */
  readonly mayGrantRule?: boolean
}

/** How long a lasting approval is valid, unless the person chooses another time. */
export const STANDING_MS = 60 * 60_000
const SHORTEST_MS = 1000

/** Refuses a lasting answer that this person cannot give, or that would last too long. */
export function checkLasting(id: string, answer: Lasting, longestMs = STANDING_MS): void {
  const { remember, forMs = STANDING_MS, mayGrantRule } = answer
  if (remember === undefined) return
  const refuse = (why: string): HintgateError<'grant_refused'> =>
    new HintgateError('grant_refused', { id, why })
  if (remember === 'rule' && mayGrantRule !== true)
    throw refuse('only a person with the role operator can approve everything a rule asks about')
  const longest = Math.max(STANDING_MS, longestMs)
  if (forMs < SHORTEST_MS || forMs > longest)
    throw refuse(`it can last at most ${showDuration(longest)} (confirm.longest)`)
}

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Shows a duration in the largest unit that fits, such as `90 min` or `7 d`. */
function showDuration(ms: number): string {
  if (ms % DAY_MS === 0) return `${ms / DAY_MS} d`
  return ms % HOUR_MS === 0 ? `${ms / HOUR_MS} h` : `${Math.round(ms / 60_000)} min`
}

const ASKED = /^(?:ap_)?/
const GRANTED = /^gr_/

/** An answer gives at most one lasting approval. Their ids end alike, so that a revocation can find the answer. */
export function grantIdOf(id: string): string {
  return id.replace(ASKED, 'gr_')
}

export function answerIdOf(grant: string): string {
  return grant.replace(GRANTED, 'ap_')
}
