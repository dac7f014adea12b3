import { diffDefinitions, type ToolDefinition } from '@hintgate/metadata'
import { parseJson } from '../protocol/parse-json.ts'
import type { DefinitionVersion, StoredDefinition } from '../store/store.ts'

/** The review state of a definition. Only approved ones are visible and callable. */
export type ReviewState = 'approved' | 'pending' | 'changed' | 'rejected' | 'disabled'

export interface ReviewStatus {
  readonly state: ReviewState
  /** An operator approved this version, or the server is trusted, so its relaxing hints apply. */
  readonly isVouched: boolean
  /** A person reviewed exactly this version and approved it. */
  readonly isSeen?: true
  /** The rule that approves it instead of an operator; to be stored. */
  readonly approvedBy?: Rule
}

/** Why something is approved without a review. */
type Rule = 'first set of a trusted server' | 'nothing but hints, all tightened'

export interface Judged {
  readonly fingerprint: string
  readonly definition: unknown
  readonly stored: StoredDefinition | undefined
}

export interface TrustRules {
  readonly trust: 'reviewed' | 'trusted'
  readonly isQuarantined: boolean
  /** No definition of this kind was ever stored for this server. */
  readonly isFirstSet: boolean
}

/**
 * Approval is permanent for one exact fingerprint: a definition that returns to it is approved again. A change that
 * only tightens hints stays approved; any other change waits.
 */
export function judgeDefinition(
  { fingerprint, definition, stored }: Judged,
  { trust, isQuarantined, isFirstSet }: TrustRules,
): ReviewStatus {
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

/** Definitions without a canonical form share this fingerprint, so they can never be approved. */
export const NO_FINGERPRINT = 'none:'

/** The prefix of a rule that reviewed instead of an operator. */
export const BY_RULE = 'rule: '

/** Who approved a version that only became stricter. */
export const TIGHTENED = `${BY_RULE}${'nothing but hints, all tightened' satisfies Rule}`

export function isRule(by: string): boolean {
  return by.startsWith(BY_RULE)
}

function approve(rule: Rule): ReviewStatus {
  return { state: 'approved', isVouched: true, approvedBy: rule }
}

/** The version that was approved last, which the reviewer knows. */
export function lastApproved(stored: StoredDefinition | undefined): DefinitionVersion | undefined {
  return stored?.versions
    .filter(({ review }) => review?.verdict === 'approved')
    .toSorted((a, b) => (b.review?.at ?? 0) - (a.review?.at ?? 0))[0]
}

/** Compares the stored forms, with all digits, because a double may round two numbers to the same value. */
function isTightened({ definition }: DefinitionVersion, now: unknown): boolean {
  const before = parseJson(definition, Number.POSITIVE_INFINITY)
  if (!before.ok) return false
  return diffDefinitions(before.value as ToolDefinition, now as ToolDefinition).verdict === 'tightened'
}
