import { z } from 'zod'
import { parseDuration } from '../../../base/measures.ts'
import { isTimeZone, readMoment } from '../values/moments.ts'
import { defineFieldRule, defineRule } from '../values/rule.ts'

const duration = z.union([z.string(), z.number()]).refine(value => parseDuration(value) !== undefined, {
  error: 'not a duration',
  params: { fix: 'use a form such as "30s", "5m" or "1h"' },
})
const timezone = z
  .string()
  .refine(name => createClock(name) !== undefined, {
    error: 'unknown time zone',
    params: { fix: 'use an IANA name such as "Europe/Berlin" or "UTC"' },
  })
  .default('UTC')

/** A guardrail that blocks dates in the past. Dates that cannot be read are refused. */
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
        if (latest === undefined) return 'is not a readable date'
        return latest + grace < facts.now ? 'is in the past' : undefined
      }
  },
})

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const clock = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/, {
  error: 'not a time of day in the form 09:00',
})

/**
 * A guardrail that allows calls only on certain days and at certain hours, in one time zone. A window can cross
 * midnight.
 */
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
      // In a window that crosses midnight, the hours after midnight belong to the previous day.
      const isInside =
        from < to
          ? days.has(day) && minute >= from && minute < to
          : (minute >= from && days.has(day)) || (minute < to && days.has((day + 6) % 7))
      return isInside ? undefined : { field: '', text: 'the call is outside the allowed hours' }
    }
  },
})

function toMinutes(written: string): number {
  const [hours = 0, minutes = 0] = written.split(':').map(Number)
  return hours * 60 + minutes
}

/** A day of the week (Sunday is 0) and a minute of that day. */
interface LocalTime {
  readonly day: number
  readonly minute: number
}

const NEVER: LocalTime = { day: Number.NaN, minute: Number.NaN }

/** Returns a function that gives the local time in a time zone, or undefined if the zone does not exist. */
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
