import { isJsonObject, type Json } from '../protocol/messages.ts'
import { decodedTexts, textOfBytes } from './decode-texts.ts'

const MOST_TEXT = 262_144
const DEEPEST = 100

/** The prefix of members with the gateway's own remarks, which are skipped. Servers cannot use this prefix. */
const OWN = 'io.hintgate/'

/**
 * Returns all texts in a server's message that an agent could read: content, resources, lists, completions, errors and
 * their data, member names, and decoded bytes.
 */
export function textsOf(said: unknown): string[] {
  const texts: string[] = []
  let size = 0
  const take = (text: string): void => {
    if (size >= MOST_TEXT) return
    size += text.length
    texts.push(text, ...decodedTexts(text))
  }
  if (!isJsonObject(said)) {
    takeTexts(said, take, 0)
    return texts
  }
  // The request state is skipped, because clients send it back unchanged and do not show it to a model.
  const { structuredContent, requestState: _state, ...rest } = said
  takeTexts(rest, take, 0)
  // The content usually repeats the structured content as JSON, so texts that are in both are taken only once.
  if (structuredContent !== undefined) takeOthers(structuredContent, texts, take)
  return texts
}

/** Members with these names can contain bytes. */
const BYTES = new Set(['data', 'blob'])

function takeTexts(value: unknown, take: (text: string) => void, depth: number): void {
  if (typeof value === 'string') take(value)
  else if (Array.isArray(value) && depth < DEEPEST) for (const each of value) takeTexts(each, take, depth + 1)
  else if (isJsonObject(value) && depth < DEEPEST) takeMembers(value, take, depth)
}

function takeMembers(value: Json, take: (text: string) => void, depth: number): void {
  for (const [key, each] of Object.entries(value)) {
    if (key.startsWith(OWN)) continue
    if (isText(key)) take(key)
    const decoded = BYTES.has(key) && typeof each === 'string' ? textOfBytes(each) : undefined
    if (decoded === undefined) takeTexts(each, take, depth + 1)
    else if (decoded !== '') take(decoded)
  }
}

/** Whether a member's name has several words. Such a name can be a sentence. */
function isText(key: string): boolean {
  return /\p{L}[\s_.-]+\p{L}+[\s_.-]+\p{L}/u.test(key)
}

function takeOthers(value: unknown, known: readonly string[], take: (text: string) => void): void {
  const all = known.join('\n')
  takeTexts(
    value,
    text => {
      if (!all.includes(text)) take(text)
    },
    0,
  )
}
