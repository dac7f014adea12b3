/** Day of the week (Sunday is 0) and minute of the day. */
export interface LocalTime {
  readonly day: number
  readonly minute: number
}

export function isTimezone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }) instanceof Intl.DateTimeFormat
  } catch {
    return false
  }
}

const MINUTE = 60_000
const QUARTER = 15 * MINUTE
const formats = new Map<string, Intl.DateTimeFormat>()
/** Zones change their distance from UTC at quarters of an hour only, so one look serves for so long. */
const offsets = new Map<string, { readonly quarter: number; readonly offset: number }>()

/** The time on a wall in a time zone. */
export function localTime(now: number, timezone: string): LocalTime {
  const local = now + offsetAt(now, timezone)
  const minutes = Math.floor(local / MINUTE)
  // The epoch began on a Thursday.
  return { day: modulo(Math.floor(minutes / 1440) + 4, 7), minute: modulo(minutes, 1440) }
}

function offsetAt(now: number, timezone: string): number {
  if (timezone === 'UTC' || !Number.isFinite(now)) return 0
  const quarter = Math.floor(now / QUARTER)
  const known = offsets.get(timezone)
  if (known?.quarter === quarter) return known.offset
  const offset = computeOffset(quarter * QUARTER, timezone)
  offsets.set(timezone, { quarter, offset })
  return offset
}

function computeOffset(at: number, timezone: string): number {
  const format = formats.get(timezone) ?? createFormat(timezone)
  formats.set(timezone, format)
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const part = (name: Intl.DateTimeFormatPartTypes): number => parts.get(name) ?? 0
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute')) - at
}

function createFormat(timezone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en', {
    timeZone: timezone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
  })
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by
}
