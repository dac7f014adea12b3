/** Durations and sizes as people write them, such as "30s" and "4mb". The parsers return undefined for any other text. */

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

/** Returns a duration such as "30s" in milliseconds. A number without a unit counts as milliseconds. */
export function parseDuration(value: string | number): number | undefined {
  return parseMeasure(value, MS_OF_UNIT)
}

/**
 * Returns a size such as "4mb" in bytes. A number without a unit counts as bytes; 1 kb is 1024 bytes, as usual for
 * limits.
 */
export function parseSize(value: string | number): number | undefined {
  return parseMeasure(value, BYTES_OF_UNIT)
}

/** Parses a rate such as "60/m" or "5/10s" into the number of calls and the length of the window. */
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

/** Returns a time, or the end of a day in UTC ("2027-01-31"), in milliseconds since the epoch. */
export function parseMoment(text: string): number | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const isMoment = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:\d{2})$/.test(text)
  if (!isDay && !isMoment) return undefined
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  // Rejects dates that do not exist, because Date.parse turns 31 February into 3 March.
  if (Number.isNaN(day.getTime()) || !day.toISOString().startsWith(text.slice(0, 10))) return undefined
  const at = Date.parse(isDay ? `${text}T23:59:59.999Z` : text)
  return Number.isNaN(at) ? undefined : at
}

/**
 * Returns the time that is a duration such as "30d" after `now`. A number without a unit is rejected, because it would
 * count as milliseconds, which is never intended here.
 */
export function momentAfter(now: number, text: string): number | undefined {
  const ms = /^[\d.]+$/.test(text) ? undefined : parseDuration(text)
  return ms !== undefined && now + ms <= LATEST ? now + ms : undefined
}

/** The latest date that JavaScript can represent. */
const LATEST = 8.64e15
