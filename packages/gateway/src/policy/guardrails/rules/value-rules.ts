import { foldLookAlikes, toCompatible } from '@hintgate/metadata'
import { z } from 'zod'
import { normalise } from '../../../protocol/is-exact.ts'
import { defineFieldRule, defineRule, fieldParams, readFields } from '../values/rule.ts'

const values = z
  .array(z.union([z.string().max(500), z.number(), z.boolean()]))
  .min(1)
  .max(5000)

/**
 * A guardrail that allows only listed values, alone or in a list, with the same type and spelling. An object never
 * matches. Neither does an empty list, which some servers interpret as "everything".
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

const NOT_LISTED = 'has a value that is not on the allowlist'

function isValueOrList(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isValue) : isValue(value)
}

function isValue(value: unknown): boolean {
  return typeof value !== 'object'
}

/** A guardrail that blocks the listed values in any spelling: `"5"` equals 5, and look-alike letters are folded. */
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

/** Returns the spellings to compare. Equal numbers get the same spelling: `5.0`, `05` and `50e-1` all become 5. */
function spellingsOf(folded: string): string[] {
  const text = folded.trim()
  return NUMBER.test(text) ? [text, `= ${normalise(text.replace('+', ''))}`] : [text]
}

/**
 * Returns the spellings of a value. A number with more digits than a double can hold also gets its rounded value,
 * because the value in the rule might have been rounded.
 */
function readingsOf(value: string | number | boolean, folded: string): string[] {
  const spellings = spellingsOf(folded)
  const isLong = typeof value === 'string' && spellings.length > 1
  return isLong ? [...spellings, String(Number(folded))] : spellings
}

const LONGEST_NUMBER = 700

/** Reads a number as tools accept it: as a JSON number, or as a plain decimal in a string. */
function toNumber(value: string | number | boolean): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || value.length > LONGEST_NUMBER) return undefined
  const text = toCompatible(value).trim()
  return /^[+-]?(?:\d{1,300}(?:\.\d{0,300})?|\.\d{1,300})(?:e[+-]?\d{1,4})?$/i.test(text)
    ? Number(text)
    : undefined
}

/**
 * A guardrail that limits a number. Text that is not a plain number is refused, because "1,000" means 1000 in some
 * countries and 1 in others.
 */
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
      if (number === undefined || Number.isNaN(number)) return 'is not a readable number'
      if (number > max) return `is greater than ${max}`
      return number < min ? `is less than ${min}` : undefined
    },
})

/** A guardrail that asks a person, either always or if one of the fields is present. */
export const requireApproval = defineRule({
  name: 'require_approval',
  params: fieldParams,
  effects: ['confirm'],
  compile: params => {
    const fields = readFields(params, [])
    return reading => {
      if (fields.length === 0) return { field: '', text: 'this call needs approval' }
      const [first] = reading.values(fields)
      return first && { field: first.path, text: 'needs approval' }
    }
  },
})
