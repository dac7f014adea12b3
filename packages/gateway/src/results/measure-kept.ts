import { isJsonObject, type Json } from '../protocol/messages.ts'
import { MOST_WAITING } from './searcher.ts'

/** A value takes so much, however short it is. */
const A_VALUE = 16
/** One of these, and every character of its text takes two bytes. Texts that have none are not searched for it. */
const WIDE = /[^\0-\xFF]/

/**
 * About how many bytes a result takes while it is kept. No more are counted than may wait: a list of millions is not
 * walked to its end to learn that it is too long.
 */
export function measureKept(result: unknown): number {
  let size = 0
  const waiting: (Json | readonly unknown[])[] = []
  const weigh = (one: unknown): void => {
    if (typeof one === 'string') size += WIDE.test(one) ? 2 * one.length : one.length
    else if (Array.isArray(one) || isJsonObject(one)) waiting.push(one)
  }
  const weighMembers = (one: Json): void => {
    // Its values or entries, as a list, would take three times as long where there are very many.
    const names = Object.keys(one)
    size += 2 * A_VALUE * names.length
    if (size > MOST_WAITING) return
    for (const name of names) {
      weigh(name)
      weigh(one[name])
    }
  }
  const weighItems = (items: readonly unknown[]): void => {
    size += A_VALUE * items.length
    if (size <= MOST_WAITING) for (const item of items) weigh(item)
  }
  weigh(result)
  for (let one = waiting.pop(); one !== undefined && size <= MOST_WAITING; one = waiting.pop())
    if (Array.isArray(one)) weighItems(one)
    else weighMembers(one as Json)
  return size
}
