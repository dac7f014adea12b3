import { DETERMINERS, FIRST_HALVES, HINT_NEGATIONS, HINT_WORDS, type HintWord } from './filter-words.ts'

/** A word in lower case without hyphens, or a mark such as a comma, with its place in the query. */
export interface Token {
  readonly word: string
  readonly from: number
  readonly to: number
  readonly isMark: boolean
}

const TOKEN = /[\p{L}\p{N}_]+(?:[-‐-―'’][\p{L}\p{N}_]+)*|[,.;:!?()]/gu
const HYPHENS = /[-‐-―]/g

export function readTokens(text: string): readonly Token[] {
  return [...text.matchAll(TOKEN)].map(({ 0: found, index }) => ({
    word: found.toLowerCase().replaceAll(HYPHENS, '').replaceAll('’', "'"),
    from: index,
    to: index + found.length,
    isMark: !/[\p{L}\p{N}]/u.test(found),
  }))
}

/** Hints that belong together and are all wanted or all unwanted: "read-only and idempotent". */
export interface HintRun {
  readonly hints: readonly HintWord[]
  /** The index of the first token. `to` is the index after the last one. */
  readonly from: number
  readonly to: number
}

export function findHints(tokens: readonly Token[]): readonly HintRun[] {
  const runs: HintRun[] = []
  for (let at = 0; at < tokens.length; at += 1) {
    const run = readRun(tokens, at)
    if (run === undefined) continue
    runs.push(run)
    at = run.to - 1
  }
  return runs
}

function readRun(tokens: readonly Token[], at: number): HintRun | undefined {
  const first = readHint(tokens, at)
  if (first === undefined) return undefined
  const hints: HintWord[] = []
  let to = at
  for (let next: FoundHint | undefined = first; next !== undefined; next = readNext(tokens, to, first.hint)) {
    hints.push(next.hint)
    to = next.to
  }
  return { hints, from: at, to }
}

/**
 * Reads the next hint of the same kind. Wanted hints that are joined by "or" ("read-only or idempotent") do not count,
 * because filters cannot express that.
 */
function readNext(tokens: readonly Token[], at: number, { isWanted }: HintWord): FoundHint | undefined {
  const joints = isWanted ? AND : AND_OR
  let next = at
  while (next < at + LONGEST_JOINT && joints.has(tokens[next]?.word ?? '')) next += 1
  const found = readHint(tokens, next)
  return found?.hint.isWanted === isWanted ? found : undefined
}

const AND: ReadonlySet<string> = new Set([',', 'and', ...DETERMINERS])
const AND_OR: ReadonlySet<string> = new Set([...AND, 'or'])
const LONGEST_JOINT = 3

interface FoundHint {
  readonly hint: HintWord
  readonly to: number
}

function readHint(tokens: readonly Token[], at: number): FoundHint | undefined {
  const word = tokens[at]?.word ?? ''
  if (!HINT_NEGATIONS.has(word)) return readPlainHint(tokens, at)
  const found = readPlainHint(tokens, at + 1)
  if (found === undefined || found.hint.isWanted) return undefined
  return { hint: { filter: found.hint.filter, isWanted: true }, to: found.to }
}

function readPlainHint(tokens: readonly Token[], at: number): FoundHint | undefined {
  const word = tokens[at]?.word ?? ''
  const both = FIRST_HALVES.has(word) ? HINT_WORDS.get(`${word}${tokens[at + 1]?.word ?? ''}`) : undefined
  if (both !== undefined) return { hint: both, to: at + 2 }
  const hint = HINT_WORDS.get(word)
  return hint === undefined ? undefined : { hint, to: at + 1 }
}
