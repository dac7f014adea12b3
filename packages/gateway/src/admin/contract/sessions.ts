import { z } from 'zod'
import { call } from './activity.ts'
import { basis, leg, pageOf, paging, riskLevel, time } from './common.ts'

const session = z.object({
  id: z.string(),
  principal: z.string(),
  usedAt: time,
  level: riskLevel,
  /** Which call brought each leg in; `tool` is `server:tool`. */
  legs: z.array(z.object({ leg, tool: z.string(), request: z.string(), at: time, basis })),
})

const params = z.strictObject({ id: z.string().max(500) })

export const sessionsContract = {
  listSessions: { query: z.strictObject(paging), response: pageOf(session) },
  getSession: { params, response: session.extend({ calls: z.array(call) }) },
  resetSession: { params, response: session },
}
