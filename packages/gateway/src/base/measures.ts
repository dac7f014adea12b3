/** Durations ("30s") and sizes ("4mb") as people write them. Undefined if the text cannot be parsed. */

const MS_OF_UNIT = new Map([
  ['ms', 1],
  ['s', 1000],
  ['m', 60_000],
  ['min', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
  ['w', 604_800_000],
])

const BYTES_OF_UNIT = new Map([
  ['b', 1],
  ['kb', 1024],
  ['kib', 1024],
  ['mb', 1024 ** 2],
  ['mib', 1024 ** 2],
  ['gb', 1024 ** 3],
  ['gib', 1024 ** 3],
])

/** Milliseconds. A bare number is milliseconds. */
export function parseDuration(value: string | number): number | undefined {
  return parseMeasure(value, MS_OF_UNIT)
}

/** Bytes. A bare number is bytes; kb is 1024, as usual for limits. */
export function parseSize(value: string | number): number | undefined {
  return parseMeasure(value, BYTES_OF_UNIT)
}

/** "60/m", "5/10s": the number of calls and the window. */
export function parseRate(text: string): { readonly limit: number; readonly windowMs: number } | undefined {
  const [, digits = '', window = ''] = /^(\d{1,7}) ?\/ ?([\d.]* ?[a-z]+)$/i.exec(text.trim()) ?? []
  const windowMs = parseDuration(/^\d/.test(window) ? window : `1${window}`)
  const limit = Number(digits)
  if (digits === '' || limit < 1 || windowMs === undefined || windowMs < 1) return undefined
  return { limit, windowMs }
}

function parseMeasure(value: string | number, units: ReadonlyMap<string, number>): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,15}(?:\.\d{1,6})?) ?([a-z]*)$/i.exec(String(value).trim()) ?? []
  const factor = unit === '' ? 1 : units.get(unit.toLowerCase())
  if (digits === '' || factor === undefined) return undefined
  const measure = Math.round(Number(digits) * factor)
  return Number.isSafeInteger(measure) ? measure : undefined
}

/** Milliseconds since the epoch for a time, or for the end of a day in UTC ("2027-01-31"). */
export function parseMoment(text: string): number | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text)
  if (!isDay && !isMoment) return undefined
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  // Date.parse turns 31 February into 3 March.
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text.slice(0, 10))) return undefined
  const at = Date.parse(isDay ? `${text}T23:59:59.999Z` : text)
  return Number.isNaN(at) ? undefined : at
}

/**
 * The time that is a duration such as "30d" after `now`. A bare number would mean milliseconds, which is never intended
 * here, so it is rejected.
 */
export function momentAfter(now: number, text: string): number | undefined {
  const ms = /^[\d.]+$/.test(text) ? undefined : parseDuration(text)
  return ms !== undefined && now + ms <= LATEST ? now + ms : undefined
}

/** The latest date that JavaScript can represent. */
const LATEST = 8.64e15
