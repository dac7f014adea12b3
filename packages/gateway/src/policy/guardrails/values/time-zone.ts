import type { Leaf } from './reading.ts'

/** Whole names only: `timeZoneDate` would be a date. */
const NAME = /^(?:time[_-]?zone|tz)$/i
const LONGEST = 64
/** By its form: to ask for each whether it is on the list takes a ten-thousandth of a second, and a call may have thousands. */
const IANA =
  /^(?:Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Brazil|Canada|Chile|Europe|Indian|Mexico|Pacific|US)(?:\/[A-Za-z_-]+){1,2}$/i
const SHORT = /^(?:Etc\/)?(?:UTC|GMT|UCT|Zulu)$|^Etc\/GMT[+-]?\d{1,2}$|^(?:Z|[CEMW]ET|[EHM]ST)$/i
const OFFSET = /^(?:UTC|GMT)? ?[+-](?:0?\d|1[0-4])(?::?[0-5]\d)?$/i
/** As Windows and Microsoft Graph call them. */
const WINDOWS = /^[A-Z][A-Za-z. ]* Standard Time(?: \([A-Za-z. ]+\))?$/

/**
 * A time zone that stands beside a date, as in Google Calendar's `{ dateTime, timeZone }`. It must be called one and look
 * like one: neither a date under that name nor a zone in the place of a date gets by.
 *
 * isTimeZone({ path: 'start.timeZone', value: 'Europe/Berlin' }) // => true
 */
export function isTimeZone({ path, value }: Leaf): boolean {
  if (typeof value !== 'string' || value.length > LONGEST) return false
  if (!NAME.test(path.slice(path.lastIndexOf('.') + 1))) return false
  return [IANA, SHORT, OFFSET, WINDOWS].some(form => form.test(value))
}
