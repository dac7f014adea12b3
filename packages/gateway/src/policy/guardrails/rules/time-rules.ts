import { z } from 'zod'
import { parseDuration } from '../../../base/measures.ts'
import { isTimeZone, readMoment } from '../values/moments.ts'
import { defineFieldRule, defineRule } from '../values/rule.ts'

const duration = z.union([z.string(), z.number()]).refine(value => parseDuration(value) !== undefined, {
  error: 'this is no duration',
  params: { fix: 'write for example "30s", "5m" or "1h"' },
})
const timezone = z
  .string()
  .refine(name => createClock(name) !== undefined, {
    error: 'this time zone is not known',
    params: { fix: 'write a name of the IANA list, such as "Europe/Berlin" or "UTC"' },
  })
  .default('UTC')

/** Dates that must lie ahead. One that cannot be read is refused. */
export const denyPastDates = defineFieldRule({
  name: 'deny_past_dates',
  looksAt: 'leaves',
  params: { grace: duration.default('1m') },
  compile: params => {
    const grace = parseDuration(params.grace) ?? 0
    return ({ facts }) =>
      leaf => {
        if (isTimeZone(leaf)) return undefined
        const latest = readMoment(leaf.value)
        if (latest === undefined) return 'cannot be read as a date'
        return latest + grace < facts.now ? 'lies in the past' : undefined
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
    const readClock = createClock(params.timezone)
    const from = toMinutes(params.from)
    const to = toMinutes(params.to)
    return reading => {
      const { day, minute } = readClock?.(reading.facts.now) ?? NEVER
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

/** Day of the week (Sunday is 0) and minute of the day. */
interface LocalTime {
  readonly day: number
  readonly minute: number
}

const NEVER: LocalTime = { day: Number.NaN, minute: Number.NaN }

/** The time on a wall in a time zone; undefined where there is no such zone. */
function createClock(timeZone: string): ((now: number) => LocalTime) | undefined {
  try {
    const options = {
      timeZone,
      weekday: 'short',
      hour: 'numeric',
      minute: 'numeric',
      hourCycle: 'h23',
    } as const
    const format = new Intl.DateTimeFormat('en', options)
    let last: readonly [minute: number, time: LocalTime] = [Number.NaN, NEVER]
    return now => {
      const minute = Math.floor(now / 60_000)
      if (last[0] !== minute) last = [minute, readParts(format.formatToParts(now))]
      return last[1]
    }
  } catch {
    return undefined
  }
}

function readParts(parts: readonly Intl.DateTimeFormatPart[]): LocalTime {
  const part = (name: Intl.DateTimeFormatPartTypes): string =>
    parts.find(({ type }) => type === name)?.value ?? ''
  const days: readonly string[] = DAYS
  const day = days.indexOf(part('weekday').toLowerCase())
  return { day, minute: Number(part('hour')) * 60 + Number(part('minute')) }
}
