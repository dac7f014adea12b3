import { type Asks, readRequest } from './read-request.ts'
import { splitSentences } from './split-sentences.ts'
import type { TokenHasher, Tokens } from './token-hashes.ts'

/** The origin of a text. */
export interface PassageSource {
  readonly server: string
  readonly tool: string
  readonly request: string
  readonly session: string
  /** Milliseconds since the epoch. */
  readonly at: number
}

/**
 * A sentence of a result that asks its reader to do something, or that was read because another sentence asked for
 * it.
 */
export interface Passage {
  /** What the sentence itself asks for. */
  readonly asks: Asks
  /** What the sentence and its neighbours ask for. */
  readonly near: Asks
  readonly tokens: Tokens
  /** The beginning of the sentence, for people. */
  readonly excerpt: string
  readonly source: PassageSource
}

/** For one result. The last passage contains all further sentences, so that many sentences cannot hide one. */
const MOST_PASSAGES = 200
const EXCERPT = 240
/**
 * Only the beginning of a longer text is read: an agent that does not read that far is not misled by the rest either.
 */
const MOST_TEXT = 262_144

interface Reading {
  readonly hasher: TokenHasher
  readonly source: PassageSource
  /** What the passage asked for that made the agent read this text. Absent if there is none. */
  readonly ledBy?: Asks | undefined
}

/**
 * Finds the passages of a text that may influence an agent. A sentence that only states something counts only if a
 * passage led to it: after `see the page below for the account`, the sentences of that page are part of the request.
 */
export function readPassages(text: string, { hasher, source, ledBy = 0 }: Reading): Passage[] {
  const sentences = splitSentences(text.length > MOST_TEXT ? text.slice(0, MOST_TEXT) : text)
  const own = sentences.map(sentence => (sentence.isProse ? readRequest(sentence.text) : 0))
  const passages: Passage[] = []
  const rest: Rest = { asks: 0, near: 0, words: [] }
  const push = ({ asks, near, words }: Omit<Rest, 'words'> & { readonly words: string }): void => {
    const tokens = hasher.tokens(words)
    if (tokens.count > 0) passages.push({ asks, near, tokens, excerpt: excerptOf(words), source })
  }
  for (const [index, { text: words, isProse }] of sentences.entries()) {
    const asks = own[index] ?? 0
    const beside = isProse ? (own[index - 1] ?? 0) | (own[index + 1] ?? 0) : 0
    const near = asks | beside | ledBy
    if (near === 0) continue
    if (passages.length >= MOST_PASSAGES) addToRest(rest, { asks: asks | ledBy, near, words })
    else push({ asks: asks | ledBy, near, words })
  }
  if (rest.words.length > 0) push({ ...rest, words: rest.words.join(' | ') })
  return passages
}

interface Rest {
  asks: Asks
  near: Asks
  readonly words: string[]
}

function addToRest(
  rest: Rest,
  { asks, near, words }: Omit<Rest, 'words'> & { readonly words: string },
): void {
  rest.asks |= asks
  rest.near |= near
  rest.words.push(words)
}

function excerptOf(text: string): string {
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text
}
