import { momentOf } from '../../audit/moment-of.ts'
import { AdminProblem } from './problem.ts'

/** Milliseconds since the epoch, a moment, or so long ago. */
export function readMoment(text: string | undefined, now: number, where: string): number | undefined {
  if (text === undefined) return undefined
  const at = /^\d{11,16}$/.test(text) ? Number(text) : momentOf(text, now)
  if (at !== undefined) return at
  throw new AdminProblem(
    'invalid_request',
    `${where}: expected 24h, 2027-01-31, or milliseconds since the epoch`,
  )
}
