import { createHash } from 'node:crypto'
import { canonicalJson } from '@hintgate/metadata'
import type { FormAnswer } from '../call/wire.ts'

/**
 * The signed state that the client carries between two runs of a tool: the open question, and the answers to earlier
 * ones. It is bound to the tool and its arguments, so that an approval of one call does not cover another.
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

/** All answers so far. An answer to a question that was not asked, or to another call, does not count. */
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
