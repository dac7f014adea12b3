import { z } from 'zod'
import { splitItems } from '../addresses.ts'
import { RECIPIENT_FIELDS } from '../recipients.ts'
import { defineRule, fieldParams, readFields } from '../rule.ts'
import type { Selected } from '../select-values.ts'

/** How many may be written to at once, over all fields together. */
export const maxRecipients = defineRule({
  name: 'max_recipients',
  params: { ...fieldParams, max: z.int().min(0) },
  compile: params => {
    const fields = readFields(params, RECIPIENT_FIELDS)
    return reading => {
      const values = outermost(reading.values(fields))
      const count = values.reduce((sum, { value }) => sum + countIn(value, 0), 0)
      if (count <= params.max) return undefined
      return { field: values[0]?.path ?? '', text: `has more than ${params.max} recipients` }
    }
  },
})

/** `attendees[0].email` counts with `attendees`. */
function outermost(values: readonly Selected[]): readonly Selected[] {
  if (values.length < 2) return values
  const byPath = new Map(values.map(selected => [selected.path, selected]))
  return [...byPath.values()].filter(
    ({ path }) => !Array.from(path.matchAll(/[.[]/g)).some(({ index }) => byPath.has(path.slice(0, index))),
  )
}

const MAX_DEPTH = 20

/** An object is one recipient, whatever else it says, or as many as it holds addresses. */
function countIn(value: unknown, depth: number): number {
  if (depth > MAX_DEPTH) return Number.POSITIVE_INFINITY
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countIn(item, depth + 1), 0)
  if (typeof value === 'string') return countText(value)
  if (typeof value !== 'object' || value === null) return value === null || value === undefined ? 0 : 1
  let addresses = 0
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' || (typeof inner === 'string' && inner.includes('@')))
      addresses += countIn(inner, depth + 1)
  }
  return Math.max(1, addresses)
}

/** Blanks part addresses too, where somebody wrote several without a comma. */
function countText(text: string): number {
  const items = splitItems(text)
  const marks = text.split(/[@＠﹫]/).length - 1
  if (marks < 2) return items.length
  const shown = items.filter(item => item.includes('<')).length
  return Math.max(items.length, marks - shown)
}
