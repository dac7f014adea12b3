import { foldLookAlikes, toCompatible } from '@hintgate/metadata'
import { z } from 'zod'
import { normalise } from '../../../protocol/is-exact.ts'
import { defineFieldRule, defineRule, fieldParams, readFields } from '../values/rule.ts'

const values = z
  .array(z.union([z.string().max(500), z.number(), z.boolean()]))
  .min(1)
  .max(5000)

/**
 * The only values a field may have: same kind, same spelling, alone or in a list. An object is none of them, whatever it
 * holds, and neither is an empty list: to some servers that means everything.
 */
export const allowValues = defineRule({
  name: 'allow_values',
  needs: [['field', 'fields']],
  params: { ...fieldParams, values, required: z.boolean().default(false) },
  compile: params => {
    const fields = readFields(params, [])
    const shaped = fields.filter(({ steps }) => steps.at(-1)?.kind !== 'deep')
    const allowed = new Set<unknown>(params.values)
    return reading => {
      const odd = reading.values(shaped).find(({ value }) => !isValueOrList(value))
      if (odd !== undefined) return { field: odd.path, text: NOT_LISTED }
      const leaves = reading.leaves(fields)
      if (params.required && leaves.length === 0)
        return { field: fields[0]?.source ?? '', text: 'is missing' }
      const other = leaves.find(({ value }) => !allowed.has(value))
      return other && { field: other.path, text: NOT_LISTED }
    }
  },
})

const NOT_LISTED = 'has a value that is not on the list of allowed ones'

function isValueOrList(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isValue) : isValue(value)
}

function isValue(value: unknown): boolean {
  return typeof value !== 'object'
}

/** Values a field must not have, in any spelling: `"5"` is 5, and look-alike letters are the letters. */
export const blockValues = defineFieldRule({
  name: 'block_values',
  looksAt: 'leaves',
  params: { values },
  compile: params => {
    const blocked = new Set(params.values.flatMap(value => spellingsOf(foldLookAlikes(String(value)))))
    return reading =>
      ({ value }) => {
        const isHit = readingsOf(value, reading.fold(String(value))).some(one => blocked.has(one))
        return isHit ? 'has a blocked value' : undefined
      }
  },
})

const NUMBER = /^[+-]?(?:\d{1,400}(?:\.\d{0,400})?|\.\d{1,400})(?:e[+-]?\d{1,4})?$/i

/** `5.0`, `05` and `50e-1` are 5. */
function spellingsOf(folded: string): string[] {
  const text = folded.trim()
  return NUMBER.test(text) ? [text, `= ${normalise(text.replace('+', ''))}`] : [text]
}

/** A number with more digits than a double has is also what that makes of it: the rule's may be. */
function readingsOf(value: string | number | boolean, folded: string): string[] {
  const spellings = spellingsOf(folded)
  const isLong = typeof value === 'string' && spellings.length > 1
  return isLong ? [...spellings, String(Number(folded))] : spellings
}

const LONGEST_NUMBER = 700

/** A number as tools take it: JSON's own, or a plain decimal in quotes. */
function toNumber(value: string | number | boolean): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER) return undefined
  const text = toCompatible(value).trim()
  return /^[+-]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:e[+-]?\d{1,4})?$/i.test(text)
    ? Number(text)
    : undefined
}

/** A number's bounds. A text that is no plain number is refused: "1,000" is a thousand here and one there. */
export const maxValue = defineFieldRule({
  name: 'max_value',
  looksAt: 'leaves',
  needs: [['max', 'min']],
  params: { max: z.number().optional(), min: z.number().optional() },
  compile:
    ({ max = Number.POSITIVE_INFINITY, min = Number.NEGATIVE_INFINITY }) =>
    () =>
    ({ value }) => {
      const number = toNumber(value)
      if (number === undefined || Number.isNaN(number)) return 'cannot be read as a number'
      if (number > max) return `is greater than ${max}`
      return number < min ? `is less than ${min}` : undefined
    },
})

/** A person confirms, always or when one of the fields is there. */
export const requireApproval = defineRule({
  name: 'require_approval',
  params: fieldParams,
  effects: ['confirm'],
  compile: params => {
    const fields = readFields(params, [])
    return reading => {
      if (fields.length === 0) return { field: '', text: 'a person has to approve this call' }
      const [first] = reading.values(fields)
      return first && { field: first.path, text: 'has to be approved by a person' }
    }
  },
})
