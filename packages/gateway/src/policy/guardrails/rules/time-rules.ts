import { z } from 'zod'
import { parseDuration } from '../../../base/measures.ts'
import { isTimezone, localTime } from '../values/local-time.ts'
import { readMoment } from '../values/moments.ts'
import { defineRule, fieldParams, NEEDS_FIELD, readFields } from '../values/rule.ts'
import { isTimeZone } from '../values/time-zone.ts'

const duration = z.union([z.string(), z.number()]).refine(value => parseDuration(value) !== undefined, {
  error: 'this is no duration',
  params: { fix: 'write for example "30s", "5m" or "1h"' },
})
const timezone = z
  .string()
  .refine(isTimezone, {
    error: 'this time zone is not known',
    params: { fix: 'write a name of the IANA list, such as "Europe/Berlin" or "UTC"' },
  })
  .default('UTC')

/** Dates that must lie ahead. One that cannot be read is refused. */
export const denyPastDates = defineRule({
  name: 'deny_past_dates',
  needs: [NEEDS_FIELD],
  params: { ...fieldParams, grace: duration.default('1m') },
  compile: params => {
    const fields = readFields(params, [])
    const grace = parseDuration(params.grace) ?? 0
    return reading => {
      for (const leaf of reading.leaves(fields)) {
        if (isTimeZone(leaf)) continue
        const { path, value } = leaf
        const latest = readMoment(value)
        if (latest === undefined) return { field: path, text: 'cannot be read as a date' }
        if (latest + grace < reading.facts.now) return { field: path, text: 'lies in the past' }
      }
      return undefined
    }
  },
})

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, {
  error: 'this is no time of day',
})

/** When calls may be made: days and hours in one time zone. A window may reach over midnight. */
export const timeWindow = defineRule({
  name: 'time_window',
  params: {
    days: z
      .array(z.enum(DAYS))
      .min(1)
      .default([...DAYS]),
    from: clock.default('00:00'),
    to: clock.default('24:00'),
    timezone,
  },
  compile: params => {
    const days = new Set<number>(params.days.map(day => DAYS.indexOf(day)))
    const from = toMinutes(params.from)
    const to = toMinutes(params.to)
    return reading => {
      const { day, minute } = localTime(reading.facts.now, params.timezone)
      // After midnight, a window that reaches over it belongs to the day before.
      const isInside =
        from < to
          ? days.has(day) && minute >= from && minute < to
          : (minute >= from && days.has(day)) || (minute < to && days.has((day + 6) % 7))
      return isInside ? undefined : { field: '', text: 'it is outside the hours in which this may be called' }
    }
  },
})

function toMinutes(written: string): number {
  const [hours = 0, minutes = 0] = written.split(':').map(Number)
  return hours * 60 + minutes
}
