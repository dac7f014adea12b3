import { parseAddresses } from './addresses.ts'
import { COST } from './effort.ts'
import type { Leaf, Reading } from './reading.ts'

/** Matches text that could be an address: an `@` in any spelling, a link, or an encoded word. */
const MAY_BE_ADDRESS = /[@＠﹫]|:\/\/|^\s*(?:[/\\]{2}|mailto:)|%(?:40|EF%BC%A0|EF%B9%AB)|=\?/i
const BLANK = /\s/
const INNER_DOT = /[^.][.\u3002\uFF0E\uFF61\u2024][^.]/
/** Maximum depth at which an address is looked for in an object that describes a person. */
const MAX_DEPTH = 6

/**
 * Returns a function that tells whether a value only accompanies a recipient's address. In `{ name: 'Ada', email:
 * 'ada@b.co', optional: true }`, that is true of `name` and `optional`. If an object has no readable address, any of
 * its values could be the recipient.
 */
export function createBesideAddress(reading: Reading): (leaf: Leaf) => boolean {
  const known = new Map<object, boolean>()
  const holdsAddress = (value: unknown, depth: number): boolean => {
    if (typeof value === 'string') return isReadable(value, reading)
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
    const before = known.get(value)
    if (before !== undefined) return before
    const members = Object.values(value)
    const holds =
      reading.spend(COST.step * members.length) && members.some(member => holdsAddress(member, depth + 1))
    known.set(value, holds)
    return holds
  }
  return ({ value, within }) => within !== undefined && !mayBeAddress(value) && holdsAddress(within, 0)
}

/** Whether a value could be an address. A word with a dot in it could be a host, but a sentence could not. */
function mayBeAddress(value: Leaf['value']): boolean {
  if (typeof value !== 'string') return false
  if (MAY_BE_ADDRESS.test(value)) return true
  const text = value.trim()
  return INNER_DOT.test(text) && !BLANK.test(text)
}

function isReadable(text: string, reading: Reading): boolean {
  if (!text.includes('@')) return false
  const { addresses, unreadable } = parseAddresses(text, new Set(), reading)
  return addresses.length > 0 && unreadable === 0
}
