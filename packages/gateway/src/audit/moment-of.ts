import { parseDuration, parseMoment } from '../base/measures.ts'

/** Reads an age (`2h`), a day (meaning its start in UTC) or a time. Undefined for anything else. */
export function momentOf(text: string, now: number): number | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text)
  const moment = isDay ? parseMoment(`${text}T00:00:00Z`) : parseMoment(text)
  // A plain number is not accepted as an age, because it would be read as milliseconds.
  const ago = /^[\d.]+$/.test(text) ? undefined : parseDuration(text)
  return moment ?? (ago === undefined ? undefined : now - ago)
}
