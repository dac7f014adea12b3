import { createHash } from 'node:crypto'
import { canonicalJson } from '@hintgate/metadata'
import type { FormAnswer } from '../call/wire.ts'

/**
 * The state that the client keeps between two runs of a tool: the open question, and the answers to earlier ones. It is
 * signed and bound to the tool and the arguments, so an approval of one call cannot be used for another.
 */
export interface Round {
  readonly call: string
  readonly asked: string
  readonly answers: readonly (readonly [key: string, answer: FormAnswer])[]
}

export function identifyCall(name: string, args: unknown): string {
  return createHash('sha256')
    .update(canonicalJson([name, args ?? {}]))
    .digest('base64url')
}

/** Collects all answers so far. An answer does not count if its question was not asked, or belongs to another call. */
export function collectAnswers(
  round: Round | undefined,
  call: string,
  response: FormAnswer | undefined,
): ReadonlyMap<string, FormAnswer> {
  if (round === undefined || round.call !== call) return new Map()
  const answers = new Map(round.answers)
  if (response !== undefined) answers.set(round.asked, response)
  return answers
}
