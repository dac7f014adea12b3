import { leadOfCall } from './origin-of-call.ts'
import { type PassageSource, readPassages } from './passage.ts'
import type { PassageMemory } from './passage-memory.ts'

interface Reader {
  readonly memory: PassageMemory
  readonly principal: string
  readonly source: PassageSource
  /** The arguments of the call that brought the texts. */
  readonly args: unknown
}

/** Stores the passages of texts that a principal is about to read. Undefined if there is nothing to await. */
export function rememberTexts(
  texts: readonly string[],
  { memory, principal, source, args }: Reader,
): undefined | Promise<void> {
  if (texts.length === 0) return undefined
  const { hasher } = memory
  const task = memory.taskOf({ principal, session: source.session })
  const ledBy = leadOfCall(args, { passages: memory.passagesOf(principal, source.at), hasher, task })
  const found = texts.flatMap(text => readPassages(text, { hasher, source, ledBy }))
  return memory.note(principal, found, source)
}
