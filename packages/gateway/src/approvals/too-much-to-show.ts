import { showUntrusted } from '@hintgate/metadata'
import type { Json } from '../protocol/messages.ts'
import { spellNumbers } from '../protocol/parse-json.ts'
import { otherParams } from './other-params.ts'

/** More than anybody reads, and all that is kept of one question. */
const MOST = 256 * 1024

export interface TooMuch {
  readonly characters: number
  readonly most: number
}

/**
 * Whether a call carries more than a person can be shown. Undefined: no more than that, so that it is shown whole. What
 * would not show is counted as it is written out.
 *
 * @example
 * tooMuchToShow({ name: 'delete_note', arguments: { id: '1' } }) // => undefined
 */
export function tooMuchToShow(params: Json): TooMuch | undefined {
  const others = otherParams(params, spellNumbers)
  const text = JSON.stringify([
    spellNumbers(params.arguments ?? {}),
    ...(others === undefined ? [] : [others]),
  ])
  const characters = text.length > MOST ? text.length : writeOut(text).length
  return characters > MOST ? { characters, most: MOST } : undefined
}

/** All of a text, with what would not show. */
export function writeOut(text: string): string {
  return showUntrusted(text, Number.POSITIVE_INFINITY)
}
