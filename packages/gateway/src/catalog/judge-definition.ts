import { diffDefinitions, type ToolDefinition } from '@hintgate/metadata'
import { parseJson } from '../protocol/parse-json.ts'
import type { DefinitionVersion, StoredDefinition } from '../store/store.ts'

/** The review state of a definition. Only approved definitions are visible and callable. */
export type ReviewState = 'approved' | 'pending' | 'changed' | 'rejected' | 'disabled'

export interface ReviewStatus {
  readonly state: ReviewState
  /** True if an operator approved this version, or the server is trusted. Declared hints that relax then apply. */
  readonly isVouched: boolean
  /** Set if a person reviewed exactly this version and approved it. */
  readonly isSeen?: true
  /** The rule that approves this version in place of an operator. The approval must be stored. */
  readonly approvedBy?: Rule
}

/** The rules that approve a definition without a review. */
type Rule = 'first set of a trusted server' | 'nothing but hints, all tightened'

export interface Judged {
  readonly fingerprint: string
  readonly definition: unknown
  readonly stored: StoredDefinition | undefined
}

export interface TrustRules {
  readonly trust: 'reviewed' | 'trusted'
  readonly isQuarantined: boolean
  /** True if no definition of this kind was ever stored for this server. */
  readonly isFirstSet: boolean
}

/**
 * Judges a definition. An approval is permanent, but only for one exact fingerprint; a definition that returns to that
 * fingerprint is approved again. A definition stays approved after a change that only tightens hints. After any other
 * change, it waits for review.
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

/** Prefix of the fingerprint of a definition that has no canonical form. Such a definition can never be approved. */
export const NO_FINGERPRINT = 'none:'

/** The prefix of a rule's name in a review that no operator made. */
export const BY_RULE = 'rule: '

/** The reviewer of a version that was approved because it only became stricter. */
export const TIGHTENED = `${BY_RULE}${'nothing but hints, all tightened' satisfies Rule}`

export function isRule(by: string): boolean {
  return by.startsWith(BY_RULE)
}

function approve(rule: Rule): ReviewStatus {
  return { state: 'approved', isVouched: true, approvedBy: rule }
}

/** Finds the version that was approved last, which is the one that the reviewer knows. */
export function lastApproved(stored: StoredDefinition | undefined): DefinitionVersion | undefined {
  return stored?.versions
    .filter(({ review }) => review?.verdict === 'approved')
    .toSorted((a, b) => (b.review?.at ?? 0) - (a.review?.at ?? 0))[0]
}

/**
 * True if hints were tightened and nothing else changed. Compares the stored texts, in which numbers have all digits,
 * because as doubles two different numbers can be equal.
 */
function isTightened({ definition }: DefinitionVersion, now: unknown): boolean {
  const before = parseJson(definition, Number.POSITIVE_INFINITY)
  if (!before.ok) return false
  return diffDefinitions(before.value as ToolDefinition, now as ToolDefinition).verdict === 'tightened'
}
