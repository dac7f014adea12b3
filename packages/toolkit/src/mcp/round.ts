import { createHash } from 'node:crypto'
import { canonicalJson } from '@hintgate/metadata'
import type { FormAnswer } from '../call/wire.ts'

/**
 * What travels through the client between two runs of a tool, signed: which question is open, and the answers to the
 * earlier ones. It is bound to the tool and its arguments, so that a yes to one call is no yes to another.
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

/** All answers so far. One to a question that was not asked, or in another call, does not count. */
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
