const MIN_LENGTH = 4
const MIN_TYPO_LENGTH = 5
const MIN_SHARED_SHARE = 0.6
const TYPO_LIKENESS = 0.8
const MAX_NEAR = 4

export interface NearWord {
  readonly word: string
  /** 1 would be the word itself. */
  readonly likeness: number
}

/**
 * Known words that an unknown one may have meant: the same beginning ("config", "configur") or one slip of the
 * keyboard. Best first; equal ones by spelling, so that the order never depends on when a word was learnt.
 */
export function findNearWords(unknown: string, candidates: Iterable<string>): readonly NearWord[] {
  if (unknown.length < MIN_LENGTH) return []
  const near: NearWord[] = []
  for (const word of candidates) {
    const likeness = measureLikeness(unknown, word)
    if (likeness > 0) near.push({ word, likeness })
  }
  return near.sort((a, b) => b.likeness - a.likeness || (a.word < b.word ? -1 : 1)).slice(0, MAX_NEAR)
}

function measureLikeness(unknown: string, word: string): number {
  if (word.length < MIN_LENGTH) return 0
  const longer = Math.max(unknown.length, word.length)
  const shared = countSharedStart(unknown, word)
  if (shared >= MIN_LENGTH && shared / longer >= MIN_SHARED_SHARE) return shared / longer
  const mayBeTypo = unknown.length >= MIN_TYPO_LENGTH && isOneSlip(unknown, word, shared)
  return mayBeTypo ? TYPO_LIKENESS : 0
}

function countSharedStart(a: string, b: string): number {
  const end = Math.min(a.length, b.length)
  let at = 0
  while (at < end && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  return at
}

/** One letter too many, too few or wrong, or two neighbours swapped. */
function isOneSlip(a: string, b: string, shared: number): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  const [restA, restB] = [a.slice(shared), b.slice(shared)]
  if (restA.slice(1) === restB.slice(1) || restA.slice(1) === restB || restA === restB.slice(1)) return true
  return (
    restA.charAt(0) === restB.charAt(1) &&
    restA.charAt(1) === restB.charAt(0) &&
    restA.slice(2) === restB.slice(2)
  )
}
