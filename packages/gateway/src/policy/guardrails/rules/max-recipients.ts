import { z } from 'zod'
import { toList } from '../values/addresses.ts'
import { COST, countOf } from '../values/effort.ts'
import type { Reading } from '../values/reading.ts'
import { defineRule, fieldParams, readFields } from '../values/rule.ts'
import type { Selected } from '../values/select-values.ts'
import { RECIPIENT_FIELDS } from '../values/usual-fields.ts'

/** A guardrail that limits the total number of recipients in all fields. */
export const maxRecipients = defineRule({
  name: 'max_recipients',
  params: { ...fieldParams, max: z.int().min(0) },
  compile: params => {
    const fields = readFields(params, RECIPIENT_FIELDS)
    return reading => {
      const values = outermost(reading.values(fields))
      const count = values.reduce((sum, { value }) => sum + countIn(value, 0, reading), 0)
      if (count <= params.max) return undefined
      return {
        field: values[0]?.path ?? '',
        text: `has more than ${params.max} ${params.max === 1 ? 'recipient' : 'recipients'}`,
      }
    }
  },
})

/**
 * Drops values that are part of another value, such as `attendees[0].email` in `attendees`, so that each recipient
 * counts once. It compares holders and keys instead of paths, because the paths of a thousand values under one long key
 * would be a thousand times as long as the call.
 */
function outermost(values: readonly Selected[]): readonly Selected[] {
  if (values.length < 2) return values
  const found = partsOf(values)
  const taken = new Map<object | undefined, Set<unknown>>()
  return values.filter(({ holder, key }) => {
    if (holder !== undefined && found.has(holder)) return false
    const keys = taken.get(holder) ?? new Set()
    const isNew = !keys.has(key)
    taken.set(holder, keys.add(key))
    return isNew
  })
}

/** Returns all lists and objects among the values, including nested ones. */
function partsOf(values: readonly Selected[]): ReadonlySet<unknown> {
  const parts = new Set<unknown>()
  const waiting = values.map(({ value }) => value)
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (typeof one !== 'object' || one === null || parts.has(one)) continue
    parts.add(one)
    for (const member of Object.values(one)) if (typeof member === 'object') waiting.push(member)
  }
  return parts
}

const MAX_DEPTH = 20

/** Counts the recipients in a value. An object counts as one recipient, or as many as the addresses in it. */
function countIn(value: unknown, depth: number, reading: Reading): number {
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY
  if (Array.isArray(value)) return countItems(value, depth, reading)
  if (typeof value === 'string') return countText(value, reading)
  if (typeof value !== 'object' || value === null) return value === null || value === undefined ? 0 : 1
  let addresses = 0
  // A text counts only once per object, because many objects repeat the address as the display name.
  const texts = new Set<string>()
  for (const [key, inner] of Object.entries(value)) {
    if (key.includes('@')) texts.add(key.trim().toLowerCase())
    if (typeof inner === 'string' && inner.includes('@')) texts.add(inner.trim().toLowerCase())
    else if (typeof inner === 'object') addresses += countIn(inner, depth + 1, reading)
  }
  for (const text of texts) addresses += countText(text, reading)
  return Math.max(1, addresses)
}

/** Counts the recipients in a list. The cost is spent first, because a list can have half a million items. */
function countItems(list: readonly unknown[], depth: number, reading: Reading): number {
  if (!reading.spend(COST.text * list.length)) return 0
  return list.reduce<number>((sum, item) => sum + countIn(item, depth + 1, reading), 0)
}

/** Counts the recipients in a text. If several addresses are written without commas, blanks separate them. */
function countText(written: string, reading: Reading): number {
  const text = toList(written.trim(), reading)
  if (text === undefined) return Number.POSITIVE_INFINITY
  const { total, repeated } = reading.split(text)
  const marks = countMarks(text)
  // Commas inside quotes count as part of a name only if an address follows. Everywhere else, a comma separates
  // recipients.
  if (marks === 0) return total === 0 ? 0 : Math.max(total, 1 + countOf(',', text) + countOf(';', text))
  return Math.max(total, marks - repeated)
}

const MARKS = ['@', '＠', '﹫']

function countMarks(text: string): number {
  return MARKS.reduce((count, mark) => count + countOf(mark, text), 0)
}
