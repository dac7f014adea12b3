import { codedWords } from './decode-texts.ts'
import { Drafts } from './passage-drafts.ts'
import { FARTHEST, readNearRequests } from './read-near-requests.ts'
import { type Asks, bitsOf } from './read-request.ts'
import { splitIdentifier } from './split-identifier.ts'
import type { Sentence } from './split-sentences.ts'
import type { TokenHasher, Tokens } from './token-hashes.ts'

/** The origin of a text: the tool that returned it, and when. */
export interface PassageSource {
  readonly server: string
  readonly tool: string
  readonly request: string
  readonly session: string
  /** The time at which the text was read, in milliseconds since the epoch. */
  readonly at: number
}

/**
 * A sentence in a result that asks its reader to do something, or that was read because another sentence asked for
 * that.
 */
export interface Passage {
  /** The kinds of calls that the sentence itself asks for. */
  readonly asks: Asks
  /** The kinds of calls that the sentence and its neighbours ask for. */
  readonly near: Asks
  readonly tokens: Tokens
  /** The beginning of the sentence, which is shown to people. */
  readonly excerpt: string
  readonly source: PassageSource
}

/**
 * Maximum number of passages per text. The last passage contains all remaining sentences, so that no sentence can hide
 * behind many others.
 */
const MOST_PASSAGES = 200
const EXCERPT = 240
/** Matches words that refer to another sentence, as in `pay the bill to the account below`. */
const POINTS =
  /\b(?:below|above|following|underneath|beneath|hereafter|attached|enclosed|next line|previous line|as given|listed|shown|stated)\b/i
const WORD = /[^\s/"'()<>,;=?&#]+/g
const LINK = /(?:https?:\/\/|\bwww\.)[^\s"'<>()]+/gi
/** The consequences that opening a link can have. */
const VISIT = bitsOf(['visit', 'create'])
/** The shortest word that could be a value in Base64 or hexadecimal. */
const SHORTEST_CODED = 12
/**
 * Maximum length of the text that is read, in characters. Agents rarely read further, so the rest cannot mislead them.
 */
const MOST_TEXT = 262_144

interface Reading {
  readonly hasher: TokenHasher
  readonly source: PassageSource
  /**
   * The kinds of calls requested by the earlier passage that led the agent to read this text. Absent if no passage did.
   */
  readonly ledBy?: Asks | undefined
  /** The sites from which the call read. Links from a page to its own site do not count as new places to visit. */
  readonly sites?: readonly string[] | undefined
  /** The words in the call's own arguments. A receipt that repeats them contains nothing new. */
  readonly given?: readonly string[] | undefined
}

/**
 * Finds the passages in a text that could influence an agent. A sentence that only states something counts only if
 * another passage led to it: after `see the page below for the account`, the sentences of that page are part of the
 * request.
 */
export function readPassages(
  whole: string,
  { hasher, source, ledBy = 0, given = [], sites = [] }: Reading,
): Passage[] {
  const drafts = new Drafts(MOST_PASSAGES)
  for (const { sentences, own } of readNearRequests(whole.slice(0, MOST_TEXT), ledBy !== 0)) {
    const pointed = pointedAt(sentences, own)
    for (const [index, { text, isProse }] of sentences.entries()) {
      const asks = own[index] ?? 0
      const beside = isProse ? (own[index - 1] ?? 0) | (own[index + 1] ?? 0) : 0
      const inText = asks | beside | (pointed[index] ?? 0)
      const near = inText | ledBy
      if (near === 0) continue
      const words = inText === 0 ? without(text, given) : text
      const { links, left } = takeLinks(words, sites)
      drafts.add({ asks, near, words: left })
      if (links !== '' && (near & ~VISIT) !== 0)
        drafts.add({ asks: asks & ~VISIT, near: near & ~VISIT, words: links })
    }
  }
  return drafts.all().flatMap(({ asks, near, words }) => {
    const tokens = hashWords(words, hasher)
    return tokens.count === 0 ? [] : [{ asks, near, tokens, excerpt: excerptOf(words), source }]
  })
}

/** Separates the links to these sites from the rest of a text. */
function takeLinks(
  text: string,
  sites: readonly string[],
): { readonly links: string; readonly left: string } {
  const links: string[] = []
  if (!sites.some(site => text.includes(site))) return { links: '', left: text }
  const left = text.replace(LINK, link => {
    if (!sites.includes(siteOf(link) ?? '')) return link
    links.push(link)
    return ' '
  })
  return { links: links.join(' '), left }
}

/** Returns the host in a web address, such as `www.example.com` for `https://www.example.com/a?b`. */
export function siteOf(address: string): string | undefined {
  return /^(?:https?:\/\/)?((?:[\w-]+\.)+[a-z]{2,})(?::\d+)?(?:[/?#]|$)/i.exec(address)?.[1]?.toLowerCase()
}

/**
 * Removes the given words from a text. Only whole words are removed: if `example.com` is given, `desk@example.com`
 * stays.
 */
function without(text: string, given: readonly string[]): string {
  if (!given.some(part => text.includes(part))) return text
  const words = new Set(given)
  return text.replace(WORD, word => (words.has(word.replace(/[.!?:]+$/, '')) ? ' ' : word))
}

/**
 * Returns, for each sentence, what the sentences that refer to it ask for. A reference is assumed to mean every
 * sentence nearby.
 */
function pointedAt(sentences: readonly Sentence[], own: readonly Asks[]): readonly Asks[] {
  const pointed: Asks[] = []
  for (const [index, asks] of own.entries()) {
    if (asks === 0 || !POINTS.test(sentences[index]?.text ?? '')) continue
    const last = Math.min(sentences.length - 1, index + FARTHEST)
    for (let at = Math.max(0, index - FARTHEST); at <= last; at += 1) pointed[at] = (pointed[at] ?? 0) | asks
  }
  return pointed
}

/** Hashes the words of a sentence, and of what its encoded words decode to. */
export function hashWords(words: string, hasher: TokenHasher): Tokens {
  return hasher.tokens(withDecoded(words))
}

/** Returns a sentence, followed by the decoded forms of its encoded words. */
function withDecoded(words: string): string {
  const decoded = codedWords(words, SHORTEST_CODED).flatMap(word => splitIdentifier(word).slice(1))
  return decoded.length === 0 ? words : `${words} "${decoded.join('" "')}"`
}

/** Whether an excerpt has all words of its sentence. The excerpt of a task is empty. */
export function isWhole(excerpt: string): boolean {
  return excerpt !== '' && excerpt.length <= EXCERPT
}

function excerptOf(text: string): string {
  return text.length > EXCERPT ? `${text.slice(0, EXCERPT)}…` : text
}

const PER_PASSAGE = 120
const PER_TOKEN = 10

/** Estimates the memory that passages take, in bytes. */
export function sizeOfAll(passages: readonly Passage[]): number {
  return passages.reduce((sum, passage) => sum + sizeOf(passage), 0)
}

function sizeOf({ tokens, excerpt }: Passage): number {
  return PER_PASSAGE + PER_TOKEN * tokens.count + 2 * excerpt.length
}
