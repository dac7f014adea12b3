import type { Passage } from './passage.ts'
import {
  ENDS_WORD,
  type Hash,
  NUMBERED,
  QUOTED,
  STARTS_WORD,
  type TokenHasher,
  type Tokens,
} from './token-hashes.ts'

/** An argument's value, prepared for the search. */
export interface SoughtValue {
  readonly hash: Hash
  /**
   * `[n]` is the first part of the hash of the value's first `n` letters and digits. The search uses it to skip other
   * words quickly.
   */
  readonly beginnings: readonly number[]
  /** True for an address, an account number or a path, which are unique enough to count even inside a longer word. */
  readonly isIdentifier: boolean
  readonly kind: 'short' | 'word' | 'number' | 'code' | 'text'
  /** Returns the hashes of both halves of the value. Set only for identifiers that are long enough to be split. */
  readonly halves?: () => ReturnType<TokenHasher['halves']>
}

const IDENTIFIER =
  /^(?:[^\s@]+@[^\s@]+\.[a-z]{2,}|[a-z]{2}\d{2}[\s\da-z]{8,}|[a-z]{2}\d{6,}|(?:https?:\/\/|www\.)\S+|[\w-]+(?:\.[\w-]+)*\.(?:[a-z]{2,})(?:\/\S*)?|\+?\d[\d ()-]{7,}|[~.]?\/[\w./ -]+|0x[\da-f]{16,})$/i
const LONGEST = 160
const SHORTEST_HALF = 4
/** Maximum number of words between the two halves of an identifier. */
const MOST_BETWEEN = 12
const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i

/** Prepares a value for the search. Returns undefined if it is empty or too long to be recognised. */
export function seekValue(value: string, hasher: TokenHasher): SoughtValue | undefined {
  const plain = value.trim().replace(SCHEME, '').replace(/\/+$/, '')
  if (plain === '' || plain.length > LONGEST) return undefined
  const hash = hasher.compact(plain)
  if (hash.length === 0) return undefined
  const isIdentifier = IDENTIFIER.test(value.trim()) && hash.length >= 5
  let halves: ReturnType<TokenHasher['halves']> | undefined
  return {
    hash,
    beginnings: hasher.beginnings(plain),
    isIdentifier,
    kind: kindOf(plain),
    ...(isIdentifier && hash.length >= 2 * SHORTEST_HALF + 2
      ? { halves: () => (halves ??= hasher.halves(plain)) }
      : {}),
  }
}

function kindOf(value: string): SoughtValue['kind'] {
  if (value.length < 3) return 'short'
  if (/^[\d.,]+$/.test(value)) return 'number'
  if (/^\p{L}+$/u.test(value)) return 'word'
  return /^(?=.*\d)[\p{L}\p{N}_-]+$/u.test(value) ? 'code' : 'text'
}

/**
 * Whether a passage contains a value. Identifiers count even inside longer words. Other values must be separate words.
 * Plain words, numbers and short values must also be marked as values, by quotes or by a word such as "id" before them.
 */
export function namesValue({ tokens }: Passage, sought: SoughtValue, hasher: TokenHasher): boolean {
  for (let start = 0; start < tokens.count; start += 1) {
    if (!mayStart(tokens, start, sought)) continue
    const end = endOfMatch(tokens, start, sought.hash, hasher)
    if (end !== undefined && isMarked(tokens, start, end, sought)) return true
  }
  return namesHalves(tokens, sought, hasher)
}

/**
 * Whether a passage gives an identifier in two halves, each as a separate word: `the account is US1330 and then 0012`.
 */
function namesHalves(tokens: Tokens, sought: SoughtValue, hasher: TokenHasher): boolean {
  if (sought.halves === undefined) return false
  const halves = sought.halves()
  const longest = halves.length - 1 - SHORTEST_HALF
  for (let start = 0; start < tokens.count; start += 1) {
    let joined: Hash = { first: 0, second: 0, length: 0 }
    for (let at = start; at < tokens.count && joined.length < longest; at += 1) {
      if (at === start && !mayStart(tokens, start, sought)) break
      joined = hasher.join(joined, hashAt(tokens, at))
      const [half, other] = halves[joined.length] ?? []
      if (half === undefined || other === undefined || joined.length < SHORTEST_HALF) continue
      if (joined.length > longest || !isSame(joined, half) || !standsAlone(tokens, start, at)) continue
      for (let next = at + 2; next <= at + MOST_BETWEEN && next < tokens.count; next += 1) {
        const end = endOfMatch(tokens, next, other, hasher)
        if (end !== undefined && standsAlone(tokens, next, end)) return true
      }
    }
  }
  return false
}

function hashAt({ first, second, length }: Tokens, at: number): Hash {
  return { first: first[at] ?? 0, second: second[at] ?? 0, length: length[at] ?? 0 }
}

function isSame(one: Hash, other: Hash): boolean {
  return one.first === other.first && one.second === other.second
}

/** Whether the user's task contains a value. Unlike in a passage, the value does not need to be marked. */
export function givesValue(task: readonly Passage[], sought: SoughtValue, hasher: TokenHasher): boolean {
  return task.some(({ tokens }) => {
    for (let start = 0; start < tokens.count; start += 1) {
      if (!mayStart(tokens, start, sought)) continue
      const end = endOfMatch(tokens, start, sought.hash, hasher)
      if (end !== undefined && (sought.isIdentifier || standsAlone(tokens, start, end))) return true
    }
    return false
  })
}

/**
 * Whether a value could begin with this word. This quick check rejects most words, of which an agent can have read
 * thousands.
 */
function mayStart({ first, length }: Tokens, start: number, { beginnings }: SoughtValue): boolean {
  return beginnings[length[start] ?? 0] === first[start]
}

function endOfMatch(tokens: Tokens, start: number, sought: Hash, hasher: TokenHasher): number | undefined {
  let joined: Hash = { first: 0, second: 0, length: 0 }
  for (let at = start; at < tokens.count; at += 1) {
    if (joined.length + (tokens.length[at] ?? 0) > sought.length) return undefined
    joined = hasher.join(joined, hashAt(tokens, at))
    if (joined.length === sought.length) return isSame(joined, sought) ? at : undefined
  }
  return undefined
}

function isMarked(tokens: Tokens, start: number, end: number, { isIdentifier, kind }: SoughtValue): boolean {
  if (isIdentifier) return true
  if (!standsAlone(tokens, start, end)) return false
  return kind === 'text' || kind === 'code' || ((tokens.flags[start] ?? 0) & (QUOTED | NUMBERED)) !== 0
}

function standsAlone({ flags }: Tokens, start: number, end: number): boolean {
  return ((flags[start] ?? 0) & STARTS_WORD) !== 0 && ((flags[end] ?? 0) & ENDS_WORD) !== 0
}
