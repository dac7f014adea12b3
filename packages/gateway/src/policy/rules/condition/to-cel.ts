import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { exactDigits } from '../../../protocol/parse-json.ts'
import { ConditionFault, type Meter } from './meter.ts'

const MAX_VALUES = 100_000
const MAX_DEPTH = 100
const UNITS_PER_VALUE = 16
const MAX_INT = 2n ** 63n - 1n

export type CelValue =
  | string
  | number
  | bigint
  | boolean
  | null
  | readonly CelValue[]
  | ReadonlyMap<string, CelValue>

/**
 * Converts arguments to CEL values. Whole numbers become integers. Objects become maps, because `constructor` and
 * `__proto__` have a special meaning in objects.
 */
export function toCel(args: unknown, meter: Meter): CelValue {
  let values = 0

  function convert(value: unknown, depth: number): CelValue {
    values += 1
    if (values > MAX_VALUES) throw new ConditionFault(`the call has more than ${MAX_VALUES} argument values`)
    if (depth > MAX_DEPTH) throw new ConditionFault(`the arguments are nested more than ${MAX_DEPTH} deep`)
    if (typeof value === 'string') return convertText(value)
    if (typeof value === 'number') return Number.isSafeInteger(value) ? BigInt(value) : value
    if (typeof value === 'boolean' || value === null) return value
    if (Array.isArray(value)) return value.map(item => convert(item, depth + 1))
    if (isJsonObject(value)) return convertObject(value, depth)
    throw new ConditionFault('an argument is not a JSON value')
  }

  function convertText(text: string): CelValue {
    meter.weight += text.length
    const digits = exactDigits(text)
    return digits === undefined ? text : convertDigits(digits)
  }

  /** Converts an object key by key, to stop at the limit. `Object.entries` would first list the whole object. */
  function convertObject(object: Json, depth: number): CelValue {
    const map = new Map<string, CelValue>()
    for (const key in object) {
      meter.weight += key.length
      map.set(key, convert(object[key], depth + 1))
    }
    return map
  }

  const converted = convert(args, 0)
  meter.weight += values * UNITS_PER_VALUE
  return converted
}

/** Converts a number that has more digits than a double can hold. */
function convertDigits(digits: string): number | bigint {
  const whole = /^-?\d{1,20}$/.test(digits) ? BigInt(digits) : undefined
  if (whole !== undefined && whole <= MAX_INT && whole >= -MAX_INT) return whole
  const rounded = Number(digits)
  return Number.isSafeInteger(rounded) ? BigInt(rounded) : rounded
}

const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * Returns the time of a call in a form that resolves time zones quickly. CEL's `getHours("Europe/Berlin")` uses
 * `toLocaleString`, which resolves the zone on every call and takes longer than all other conditions together. Here,
 * the formatter is cached.
 */
export function toCallTime(now: number): Date {
  const date = new Date(now)
  date.toLocaleString = (_locale?: unknown, options?: Intl.DateTimeFormatOptions) =>
    formatOf(options?.timeZone ?? 'UTC').format(now)
  return date
}

/** The cache stays small, because the time zones come from rules. */
function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const numeric = 'numeric'
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: numeric,
    month: numeric,
    day: numeric,
    hour: numeric,
    minute: numeric,
    second: numeric,
  })
  formats.set(timeZone, format)
  return format
}
