const formats = new Map<string, Intl.DateTimeFormat>()

/**
 * The time of a call. CEL's `getHours("Europe/Berlin")` asks a date for its local text, and by itself a date looks the zone
 * up afresh every time, which costs more than all other conditions together.
 */
export function toCallTime(now: number): Date {
  const date = new Date(now)
  date.toLocaleString = (_locale?: unknown, options?: Intl.DateTimeFormatOptions) =>
    formatOf(options?.timeZone ?? 'UTC').format(now)
  return date
}

/** Zones stand in rules, so they are few. */
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
