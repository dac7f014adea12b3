import { maskArguments } from '../engine/read-query.ts'
import { REQUEST_WORDS, type WordedFilter } from './filter-words.ts'
import { findHints, readTokens, type Token } from './find-hints.ts'
import { findStatement } from './judge-hints.ts'

/** For each filter, the words of the query that were understood as this filter. */
export type Understood = { readonly [F in WordedFilter]?: string }

interface ReadQuery {
  /** The remaining words, which are searched for. */
  readonly words: string
  readonly understood: Understood
}

/**
 * Maximum length of a query from which filters are read. Longer queries are pasted texts, which can mention tools
 * without asking for them.
 */
const LONGEST = 300

/**
 * Reads the filters that a query expresses in words. A hint counts only if it describes tools: "read-only database
 * tools" is a filter, "set a file to read-only" is not. Quoted words never count, and a filter that the caller set to
 * false is not read.
 *
 * @example
 * readFilters('find read-only database tools', {})
 * // => { words: 'find database', understood: { read_only: 'read-only tools' } }
 */
export function readFilters(query: string, given: { readonly [F in WordedFilter]?: boolean }): ReadQuery {
  if (query.length > LONGEST) return { words: query, understood: {} }
  const masked = maskArguments(query)
  const tokens = readTokens(masked)
  const used = new Set<number>()
  const understood: { -readonly [F in WordedFilter]?: string } = {}
  for (const run of findHints(tokens)) {
    const filters = run.hints.map(({ filter }) => filter)
    const statement = filters.some(filter => given[filter] === false) ? undefined : findStatement(tokens, run)
    if (statement === undefined) continue
    for (const index of statement) used.add(index)
    for (const filter of filters) understood[filter] = quote(query, tokens, statement)
  }
  return { words: used.size === 0 ? query : wordsLeft({ query, masked, tokens, used }), understood }
}

function quote(query: string, tokens: readonly Token[], indexes: readonly number[]): string {
  return indexes.map(index => query.slice(tokens[index]?.from, tokens[index]?.to)).join(' ')
}

interface Split {
  readonly query: string
  readonly masked: string
  readonly tokens: readonly Token[]
  readonly used: ReadonlySet<number>
}

/**
 * Returns the query without the words that became filters. If the rest only asks for tools, the result is empty,
 * because every tool that passes the filters is then meant.
 */
function wordsLeft({ query, masked, tokens, used }: Split): string {
  const left = tokens.filter(({ isMark }, index) => !isMark && !used.has(index))
  if (masked === query && left.every(({ word }) => REQUEST_WORDS.has(word))) return ''
  let [words, from] = ['', 0]
  for (const [index, token] of tokens.entries()) {
    if (!used.has(index)) continue
    words += `${query.slice(from, token.from)} `
    from = token.to
  }
  return `${words}${query.slice(from)}`.replaceAll(/\s+/g, ' ').trim()
}

export function withUnderstood<F extends object>(given: F, understood: Understood): F {
  return { ...given, ...Object.fromEntries(Object.keys(understood).map(filter => [filter, true])) }
}

/** Explains the filters to the caller, who can correct them. */
export function explainFilters(understood: Understood): string | undefined {
  const read = Object.entries(understood).map(([filter, words]) => `${filter} (${JSON.stringify(words)})`)
  if (read.length === 0) return undefined
  return `These words of the query were read as filters: ${read.join(', ')}. If that is wrong, set the filter to false or put the words in quotes.`
}
