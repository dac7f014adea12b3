import { showUntrusted } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { spellNumbers } from '../protocol/parse-json.ts'
import { otherParams } from './other-params.ts'

/** Maximum number of characters in one request. It is more than a person would read. */
const MOST = 256 * 1024

interface TooMuch {
  readonly characters: number
  readonly most: number
}

/**
 * Returns the length and the limit if a call is too long to show to a person, or undefined if it fits. An invisible
 * character counts as long as its escape.
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

/** Writes a text in full, with invisible characters escaped. */
export function writeOut(text: string): string {
  return showUntrusted(text, Number.POSITIVE_INFINITY)
}

export interface Shortened {
  readonly value: unknown
  readonly isCut: boolean
}

/** Minimum number of characters of a cut member that are worth showing. */
const LEAST = 40

/**
 * Cuts a value to about the given number of characters. Large parts are cut first, wherever they are, so that a long
 * text cannot hide a short one.
 *
 * @example
 * shorten({ list: [1, 2, 3], force: true }, 9000).isCut // => false
 */
export function shorten(value: unknown, most: number): Shortened {
  if (lengthOf(value, most) <= most) return { value, isCut: false }
  return { value: isJsonObject(value) ? shortenMembers(value, most) : cut(value, most), isCut: true }
}

interface Member {
  readonly name: string
  readonly part: unknown
  readonly length: number
}

function shortenMembers(object: Json, most: number): Json {
  const members: readonly Member[] = Object.entries(object).map(([name, part]) => ({
    name,
    part,
    length: lengthOf(name, most) + lengthOf(part, most) + 2,
  }))
  const kept = new Map<Member, readonly [string, unknown]>()
  let left = most
  const smallestFirst = members.toSorted((a, b) => a.length - b.length)
  for (const [index, member] of smallestFirst.entries()) {
    if (left < LEAST) break
    const share = Math.max(LEAST, Math.floor(left / (members.length - index)))
    kept.set(member, member.length <= share ? [member.name, member.part] : cutMember(member, share))
    left -= Math.min(member.length, share)
  }
  // The members keep their original order.
  const entries = members.flatMap(member => {
    const entry = kept.get(member)
    return entry === undefined ? [] : [entry]
  })
  const missing = members.length - entries.length
  const rest = missing === 0 ? [] : [['…', `[cut: ${missing} more]`] as const]
  // Unlike an assignment, this also creates an own property for `__proto__`.
  return Object.fromEntries([...entries, ...rest])
}

function cutMember({ name, part }: Member, share: number): readonly [string, unknown] {
  const shownName = showUntrusted(name, Math.max(LEAST, share / 2))
  return [shownName, cut(part, Math.max(LEAST, share - shownName.length))]
}

function cut(value: unknown, most: number): unknown {
  const length = lengthOf(value, most)
  if (length <= most) return value
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `${showUntrusted(text, most)} [cut: ${length} characters]`
}

/**
 * The length of a value with invisible characters escaped. The escapes are not counted if the value is too long even
 * without them.
 */
function lengthOf(value: unknown, most: number): number {
  const text = JSON.stringify(value)
  return text.length > most ? text.length : writeOut(text).length
}
