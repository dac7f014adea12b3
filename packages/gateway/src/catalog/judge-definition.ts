import { diffDefinitions, type ToolDefinition } from '@hintgate/metadata'
import { parseJson } from '../protocol/parse-json.ts'
import type { DefinitionVersion, StoredDefinition } from '../store/store.ts'

/** Where a definition stands with the operator. Only what is approved is shown to anybody or can be called. */
export type ReviewState = 'approved' | 'pending' | 'changed' | 'rejected' | 'disabled'

export interface Standing {
  readonly state: ReviewState
  /** Somebody answers for its relaxing hints: an operator who approved this very version, or a trusted server. */
  readonly isVouched: boolean
  /** A person looked at exactly this version, and approved it. */
  readonly isSeen?: true
  /** The rule that approves it in an operator's place; to be written down. */
  readonly approvedBy?: Rule
}

/** Why something is approved that nobody looked at. */
type Rule = 'first set of a trusted server' | 'nothing but hints, all tightened'

export interface Judged {
  readonly fingerprint: string
  readonly definition: unknown
  readonly stored: StoredDefinition | undefined
}

export interface TrustRules {
  readonly trust: 'reviewed' | 'trusted'
  readonly isQuarantined: boolean
  /** Nothing of this kind was ever seen of this server. */
  readonly isFirstSet: boolean
}

/**
 * Approval is for one exact fingerprint, for good: a definition that returns to it is approved again. A change that
 * only tightens hints stays approved, anything else waits.
 */
export function judgeDefinition(
  { fingerprint, definition, stored }: Judged,
  { trust, isQuarantined, isFirstSet }: TrustRules,
): Standing {
  const isVouched = trust === 'trusted'
  if (stored?.isDisabled === true) return { state: 'disabled', isVouched: false }
  const review = stored?.versions.find(version => version.fingerprint === fingerprint)?.review
  if (review?.verdict === 'rejected') return { state: 'rejected', isVouched: false }
  if (fingerprint.startsWith(NO_FINGERPRINT) && isQuarantined) return { state: 'pending', isVouched: false }
  if (review?.verdict === 'approved')
    return { state: 'approved', isVouched: true, ...(isRule(review.by) ? {} : { isSeen: true }) }
  if (!isQuarantined) return { state: 'approved', isVouched }
  if (isVouched && isFirstSet) return approve('first set of a trusted server')
  const approved = lastApproved(stored)
  if (approved === undefined) return { state: 'pending', isVouched: false }
  return isTightened(approved, definition)
    ? approve('nothing but hints, all tightened')
    : { state: 'changed', isVouched: false }
}

/** What has no canonical form shares this with all others of its kind, so it can never be approved. */
export const NO_FINGERPRINT = 'none:'

/** What stands before the name of a rule that reviewed in an operator's place. */
export const BY_RULE = 'rule: '

export function isRule(by: string): boolean {
  return by.startsWith(BY_RULE)
}

function approve(rule: Rule): Standing {
  return { state: 'approved', isVouched: true, approvedBy: rule }
}

/** The version that was approved last: what a reviewer knows. */
export function lastApproved(stored: StoredDefinition | undefined): DefinitionVersion | undefined {
  return stored?.versions
    .filter(({ review }) => review?.verdict === 'approved')
    .toSorted((a, b) => (b.review?.at ?? 0) - (a.review?.at ?? 0))[0]
}

/** Both as they are kept in memory, every digit and number told from text: a double may round one number to another. */
function isTightened({ definition }: DefinitionVersion, now: unknown): boolean {
  const before = parseJson(definition, Number.POSITIVE_INFINITY)
  if (!before.ok) return false
  return diffDefinitions(before.value as ToolDefinition, now as ToolDefinition).verdict === 'tightened'
}
