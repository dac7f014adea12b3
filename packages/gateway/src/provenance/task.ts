import { META_TASK } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Principal } from '../scope/scope.ts'
import type { Passage, PassageSource } from './passage.ts'
import { type Asks, readRequest } from './read-request.ts'
import { splitSentences } from './split-sentences.ts'
import type { TokenHasher } from './token-hashes.ts'

/** The sentences and lines of the user's task, each with what it asks for. */
export type Task = readonly Passage[]

const LONGEST = 16_384
const MOST_PARTS = 400

/**
 * Returns the task that a request states in `_meta["io.hintgate/task"]`, as text or as `{ "text": … }`. Returns
 * undefined if the request states none, or if the caller is not allowed to state tasks.
 */
export function statedTask(params: Json | undefined, { kind, scope }: Principal): string | undefined {
  const meta = params?._meta
  const given = isJsonObject(meta) ? meta[META_TASK] : undefined
  if (given === undefined || (kind === 'agent' && scope.statesTask !== true)) return undefined
  const text = isJsonObject(given) ? given.text : given
  return typeof text === 'string' && text.trim() !== '' ? text.slice(0, LONGEST) : undefined
}

/**
 * Hashes a task in the same way as passages, so that values can be compared. The text itself is not kept. Sentences
 * show what the task asks for. Whole lines are included as well, because a dot in an address can look like the end of a
 * sentence.
 */
export function readTask(text: string, hasher: TokenHasher, source: PassageSource): Task {
  const part = (words: string, asks: Asks): Passage => {
    return { asks, near: asks, tokens: hasher.tokens(words), excerpt: '', source }
  }
  const sentences = splitSentences(text).map(sentence => part(sentence.text, readRequest(sentence.text)))
  return [...sentences, ...text.split('\n').map(line => part(line, 0))].slice(0, MOST_PARTS)
}
