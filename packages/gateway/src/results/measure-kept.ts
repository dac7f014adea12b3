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
  const waiting: unknown[] = [result]
  for (let one = waiting.pop(); one !== undefined && size <= MOST_WAITING; one = waiting.pop()) {
    if (typeof one === 'string') size += WIDE.test(one) ? 2 * one.length : one.length
    if (typeof one !== 'object' || one === null) continue
    const parts: readonly unknown[] = Array.isArray(one) ? one : Object.entries(one).flat()
    size += A_VALUE * parts.length
    if (size > MOST_WAITING) break
    for (const part of parts) waiting.push(part)
  }
  return size
}
