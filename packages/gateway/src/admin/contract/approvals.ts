import { z } from 'zod'
import { basis, hints, leg, note, pageOf, paging, reason, riskLevel, time, variant } from './common.ts'

const remember = z.enum(['session', 'arguments'])

export const approval = z.object({
  id: z.string(),
  /** `expired`: nobody answered in time, or the yes was not used. */
  state: z.enum(['pending', 'approved', 'denied', 'spent', 'standing', 'expired']),
  server: z.string(),
  /** The name, without the server. */
  tool: z.string(),
  title: z.string(),
  action: z.string(),
  variant,
  /** `agent:NAME` or `person:NAME`. */
  principal: z.string(),
  session: z.string(),
  /** Secrets are masked. */
  arguments: z.unknown(),
  /** What the call carries besides arguments. */
  others: z.unknown().optional(),
  /** Something of these two is left out here, as in lists of questions; the question by itself has all of it. */
  isCut: z.boolean(),
  hints,
  risk: riskLevel,
  legs: z.array(z.object({ leg, tool: z.string(), basis })),
  preview: z.string().optional(),
  reasons: z.array(reason),
  /** `person`: only somebody other than the caller may answer. */
  channel: z.enum(['any', 'person']),
  canRemember: z.array(remember),
  createdAt: time,
  expiresAt: time,
  decision: z.object({ by: z.string(), via: z.string(), at: time, note: z.string().optional() }).optional(),
})

export const approvalsContract = {
  listApprovals: {
    query: z.strictObject({ ...paging, state: z.enum(['pending', 'all']).optional() }),
    response: pageOf(approval),
  },
  getApproval: { params: z.strictObject({ id: z.string() }), response: approval },
  decideApproval: {
    params: z.strictObject({ id: z.string() }),
    body: z.strictObject({
      decision: z.enum(['approve', 'deny']),
      remember: remember.optional(),
      note: note.optional(),
    }),
    response: approval,
  },
}
