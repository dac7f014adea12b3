import { createHash } from 'node:crypto'
import { leavesOf } from './find-origin.ts'
import { leadOfCall } from './origin-of-call.ts'
import { type PassageSource, readPassages, siteOf } from './passage.ts'
import type { PassageMemory } from './passage-memory.ts'
import { textsOf } from './texts-of-result.ts'

interface Reader {
  readonly memory: PassageMemory
  readonly principal: string
  readonly source: PassageSource
  /** The arguments of the call that returned the texts. */
  readonly args: unknown
}

/**
 * Stores the passages in anything that a principal is about to read: a result, an error, progress, a log line, a
 * question. It must be called before the text is passed on, so that a crash cannot lose a passage. Returns undefined if
 * there is nothing to await.
 */
export function rememberTexts(
  said: unknown,
  { memory, principal, source, args }: Reader,
): undefined | Promise<void> {
  if (memory.isOff()) return undefined
  const texts = textsOf(said)
  if (texts.length === 0) return undefined
  const { hasher } = memory
  const read = memory.readSoFar({ principal, session: source.session }, source.at)
  const ledBy = leadOfCall({ args, tool: source.tool }, read)
  const sites = leavesOf(args).flatMap(({ value }) => siteOf(value.trim()) ?? [])
  const given = ledBy === 0 ? [] : partsOf(args)
  const digest = digestOf([...texts, JSON.stringify([ledBy, given, sites])])
  return memory.note({ principal, digest, source }, () =>
    texts.flatMap(text => readPassages(text, { hasher, source, ledBy, given, sites })),
  )
}

function digestOf(texts: readonly string[]): string {
  const hash = createHash('sha256')
  for (const text of texts) hash.update(`${text.length} `).update(text)
  return hash.digest('base64')
}

const BETWEEN_PARTS = /[\s/"'()<>,;=?&#]+/
const SHORTEST_PART = 4
const MOST_PARTS = 100

/**
 * Returns the words in the arguments. Addresses and paths are split into their parts, because a receipt often repeats
 * only one part.
 */
function partsOf(args: unknown): string[] {
  const parts = leavesOf(args).flatMap(({ value }) => value.split(BETWEEN_PARTS))
  return parts.filter(part => part.length >= SHORTEST_PART).slice(0, MOST_PARTS)
}
