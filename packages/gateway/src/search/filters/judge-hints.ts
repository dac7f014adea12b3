import {
  DETERMINERS,
  EXCLUDING,
  NEGATED_VERBS,
  NEGATIONS,
  RELATIVES,
  RESULTS,
  SMALL_WORDS,
  SUBJECTS,
  THINGS,
  TOOLS,
  VERBS,
  WISHES,
  WITHOUT,
  WITHOUT_PAIRS,
} from './filter-words.ts'
import type { HintRun, Token } from './find-hints.ts'

const LONGEST_TOPIC = 3

/**
 * Returns the tokens in which a query states a hint for the tools it is looking for, or undefined if the hint describes
 * something else.
 */
export function findStatement(tokens: readonly Token[], run: HintRun): readonly number[] | undefined {
  return run.hints[0]?.isWanted === true ? findWanted(tokens, run) : findUnwanted(tokens, run)
}

/**
 * Finds statements of a wanted hint: "read-only database tools", "tools that are read-only", "database tools,
 * read-only".
 */
function findWanted(tokens: readonly Token[], { from, to }: HintRun): readonly number[] | undefined {
  const start = skipDeterminers(tokens, from)
  const isVerb = wordAt(tokens, from) === 'read' && has(SUBJECTS, tokens, start - 1)
  const isOneOfTwo = wordAt(tokens, start - 1) === 'or'
  const isNegated = startOfExclusion(tokens, start) !== undefined || has(NEGATIONS, tokens, start - 1)
  if (isVerb || isOneOfTwo || isNegated) return undefined
  const tool = findTools(tokens, to)
  if (tool !== undefined) return [...range(from, to), tool]
  if (!isEnd(tokens, to)) return undefined
  const clause = start === 0 ? 0 : startOfClause(tokens, start)
  return clause === undefined ? undefined : range(clause, to)
}

/** Returns the start of a clause about the tools that are mentioned before it. */
function startOfClause(tokens: readonly Token[], start: number): number | undefined {
  const relative = startOfRelative(tokens, start, VERBS)
  const isRemark = tokens[start - 1]?.isMark === true || wordAt(tokens, start - 1) === 'but'
  const clause = relative ?? (isRemark ? start : undefined)
  return clause !== undefined && namesTools(tokens, clause) ? clause : undefined
}

/** Finds statements of an unwanted hint: "exclude destructive tools", "tools that aren't destructive". */
function findUnwanted(tokens: readonly Token[], { from, to }: HintRun): readonly number[] | undefined {
  const start = skipDeterminers(tokens, from)
  const relative = startOfRelative(tokens, start, NEGATED_VERBS)
  if (relative !== undefined)
    return isEnd(tokens, to) && namesTools(tokens, relative) ? range(relative, to) : undefined
  const exclusion = startOfExclusion(tokens, start)
  if (exclusion === undefined || !isAsked(tokens, exclusion)) return undefined
  const tool = findTools(tokens, to)
  if (tool !== undefined) return [...range(exclusion, to), ...range(tool, endOfSource(tokens, tool + 1))]
  const isClear = has(EXCLUDING, tokens, exclusion) || exclusion < start - 1
  return isClear && isEnd(tokens, to) ? range(exclusion, to) : undefined
}

/** Whether the query asks to exclude something. "Don't exclude" and "a tool to exclude" do not. */
function isAsked(tokens: readonly Token[], exclusion: number): boolean {
  if (has(NEGATIONS, tokens, exclusion - 1)) return false
  return wordAt(tokens, exclusion - 1) !== 'to' || has(WISHES, tokens, exclusion - 2)
}

function startOfExclusion(tokens: readonly Token[], end: number): number | undefined {
  if (WITHOUT_PAIRS.has(`${wordAt(tokens, end - 2)}${wordAt(tokens, end - 1)}`)) return end - 2
  return has(WITHOUT, tokens, end - 1) ? end - 1 : undefined
}

function startOfRelative(
  tokens: readonly Token[],
  end: number,
  verbs: ReadonlySet<string>,
): number | undefined {
  return has(verbs, tokens, end - 1) && has(RELATIVES, tokens, end - 2) ? end - 2 : undefined
}

/** Finds the word "tools" after a hint and a short topic. */
function findTools(tokens: readonly Token[], at: number): number | undefined {
  if (has(THINGS, tokens, at)) return undefined
  for (const [index, token] of tokens.slice(at, at + LONGEST_TOPIC + 1).entries()) {
    if (TOOLS.has(token.word)) return at + index
    if (token.isMark || SMALL_WORDS.has(token.word)) return undefined
  }
  return undefined
}

/** Returns the index after "from the search results" if that phrase follows, otherwise the given index. */
function endOfSource(tokens: readonly Token[], at: number): number {
  if (wordAt(tokens, at) !== 'from') return at
  const words = tokens.slice(at + 1, at + 4).map(({ word }) => word)
  const last = words.findLastIndex(word => RESULTS.has(word))
  return last < 0 ? at : at + last + 2
}

function namesTools(tokens: readonly Token[], before: number): boolean {
  return tokens.slice(0, before).some(({ word }) => TOOLS.has(word))
}

function skipDeterminers(tokens: readonly Token[], from: number): number {
  let start = from
  while (has(DETERMINERS, tokens, start - 1)) start -= 1
  return start
}

function isEnd(tokens: readonly Token[], at: number): boolean {
  return tokens[at] === undefined || tokens[at].isMark
}

function has(words: ReadonlySet<string>, tokens: readonly Token[], at: number): boolean {
  return words.has(wordAt(tokens, at))
}

function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.word ?? ''
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
