import { leadOfCall } from './origin-of-call.ts'
import { type PassageSource, readPassages } from './passage.ts'
import type { PassageMemory } from './passage-memory.ts'
import { textsOf } from './texts-of-result.ts'

interface Reader {
  readonly memory: PassageMemory
  readonly principal: string
  readonly source: PassageSource
  /** The arguments of the call that brought the texts. */
  readonly args: unknown
}

/**
 * Stores the passages of what a principal is about to read: a result, an error, progress, a log line, a question. Every door calls
 * this before it passes anything on, so that a crash cannot lose it. Undefined if there is nothing to await.
 */
export function rememberTexts(
  said: unknown,
  { memory, principal, source, args }: Reader,
): undefined | Promise<void> {
  const texts = textsOf(said)
  if (texts.length === 0) return undefined
  const { hasher } = memory
  const task = memory.taskOf({ principal, session: source.session })
  const ledBy = leadOfCall(args, { passages: memory.passagesOf(principal, source.at), hasher, task })
  const found = texts.flatMap(text => readPassages(text, { hasher, source, ledBy }))
  return memory.note(principal, found, source)
}
