import { toCompatible } from '@hintgate/metadata'
import type { Leaf } from './reading.ts'

const HOUR = 3_600_000
/** A date without a time zone could be meant in any zone. It comes last in the zone that is twelve hours behind UTC. */
const LAST_ZONE = 12 * HOUR
const ISO =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?)? ?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/i
/**
 * Matches the basic form of ISO 8601, as used by iCalendar. A time is required, because eight digits alone could be
 * seconds since 1970.
 */
const BASIC_ISO =
  /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(?:(\d{2})(?:[.,]\d{1,9})?)?(Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d)?$/i
/**
 * Numbers in these two ranges count as seconds (from 1973 to 2286) or milliseconds (from 1973 to 11476) since the
 * epoch. Numbers between the ranges are ambiguous, and larger ones are microseconds.
 */
const FIRST_SECONDS = 1e8
const LAST_SECONDS = 1e10
const FIRST_MILLISECONDS = 1e11
const LAST_MILLISECONDS = 3e14
const LONGEST_MOMENT = 100

/**
 * Returns the latest moment that a date can mean, in milliseconds. Reads ISO 8601, and seconds or milliseconds since
 * the epoch. Returns undefined for other forms, which mean different days in different countries.
 */
export function readMoment(value: string | number | boolean): number | undefined {
  if (typeof value === 'number') return readEpoch(value)
  if (typeof value !== 'string' || value.length > LONGEST_MOMENT) return undefined
  const text = toCompatible(value).trim()
  return /^\d{9,16}$/.test(text) ? readEpoch(Number(text)) : readIso(text)
}

function readEpoch(value: number): number | undefined {
  if (value >= FIRST_SECONDS && value <= LAST_SECONDS) return value * 1000
  return value >= FIRST_MILLISECONDS && value <= LAST_MILLISECONDS ? value : undefined
}

function readIso(text: string): number | undefined {
  const match = ISO.exec(text) ?? BASIC_ISO.exec(text)
  if (match === null) return undefined
  const [year = 0, month = 0, day = 0] = match.slice(1, 4).map(Number)
  const date = new Date(Date.UTC(year, month - 1, day))
  // `Date` would accept 31 February and turn it into a day in March.
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return undefined
  if (match[4] === undefined) return date.getTime() + 24 * HOUR + LAST_ZONE
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(4, 7).map(part => Number(part ?? 0))
  if (hours > 24 || minutes > 59 || seconds > 60) return undefined
  const local = date.getTime() + hours * HOUR + minutes * 60_000 + seconds * 1000
  return local - readOffset(match[7])
}

function readOffset(zone: string | undefined): number {
  if (zone === undefined) return -LAST_ZONE
  if (/^z$/i.test(zone)) return 0
  const sign = zone.startsWith('-') ? -1 : 1
  return sign * (Number(zone.slice(1, 3)) * HOUR + Number(zone.slice(-2)) * 60_000)
}

/**
 * Matches the names of fields for time zones. Only the whole name counts, because `timeZoneDate`, for example, is a
 * date.
 */
const ZONE_NAME = /^(?:time[_-]?zone|tz)$/i
const LONGEST_ZONE = 64
/**
 * Matches the form of IANA zone names. The zones are not looked up, because each lookup takes 0.1 ms and a call can
 * contain thousands of zones.
 */
const IANA =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Europe|Indian|Mexico|Pacific|US)(?:\/[A-Za-z_-]+){1,2}$/i
const SHORT = /^(?:Etc\/)?(?:UTC|GMT|UCT|Zulu)$|^Etc\/GMT[+-]?\d{1,2}$|^(?:Z|[CEMW]ET|[EHM]ST)$/i
const OFFSET = /^(?:UTC|GMT)? ?[+-](?:0?\d|1[0-4])(?::?[0-5]\d)?$/i
/** Matches the zone names that Windows and Microsoft Graph use. */
const WINDOWS = /^[A-Z][A-Za-z. ]* Standard Time(?: \([A-Za-z. ]+\))?$/

/**
 * Whether a value is the time zone of a date, as in Google Calendar's `{ dateTime, timeZone }`. Both the field's name
 * and its value must match. Otherwise a date in a field with such a name, or a zone in a field for dates, would pass.
 * For example, `isTimeZone({ path: 'start.timeZone', value: 'Europe/Berlin' })` is true.
 */
export function isTimeZone({ path, value }: Leaf): boolean {
  if (typeof value !== 'string' || value.length > LONGEST_ZONE) return false
  if (!ZONE_NAME.test(path.slice(path.lastIndexOf('.') + 1))) return false
  return [IANA, SHORT, OFFSET, WINDOWS].some(form => form.test(value))
}
