import { z } from 'zod'
import {
  basis,
  hint,
  leg,
  moment,
  pageOf,
  paging,
  reason,
  riskLevel,
  time,
  variant,
  verdict,
} from './common.ts'

/** One recorded call, on one line. */
export const call = z.object({
  request: z.string(),
  at: time,
  /** `agent:NAME` or `person:NAME`. */
  agent: z.string(),
  server: z.string(),
  tool: z.string(),
  variant: variant.optional(),
  verdict: verdict.optional(),
  /** `answered`, `tool_error`, `error`, `refused`, `failed`, `asked`, `cancelled`, `unknown`, or `open`. */
  outcome: z.string(),
  code: z.string().optional(),
  durationMs: z.number().optional(),
  /** What was done, in words. */
  sentence: z.string(),
  severity: z.enum(['info', 'notice', 'warning']),
  session: z.string().optional(),
})

const wholeCall = call.extend({
  detail: z.string().optional(),
  attempts: z.number().optional(),
  door: z.string().optional(),
  typed: z.string().optional(),
  fingerprint: z.string().optional(),
  hints: z.record(z.string(), hint).optional(),
  intent: z.unknown().optional(),
  /** Secrets are masked. */
  arguments: z.unknown().optional(),
  argumentBytes: z.number().optional(),
  resultBytes: z.number().optional(),
  /** What determined the verdict. */
  reasons: z.array(reason),
  approval: z.string().optional(),
  /** Where it stands in the hash chain. */
  rows: z.array(z.object({ writer: z.number(), seq: z.number(), hash: z.string() })),
})

const filters = {
  agent: z.string().max(200).optional(),
  server: z.string().max(200).optional(),
  tool: z.string().max(1000).optional(),
  variant: variant.optional(),
  verdict: verdict.optional(),
  outcome: z.string().max(40).optional(),
  code: z.string().max(60).optional(),
  since: moment,
  until: moment,
  /** In the sentence, the tool, the agent or the request id. */
  text: z.string().max(200).optional(),
}

const chain = z.object({
  /** Absent: nobody has verified since this gateway started. */
  verifiedAt: time.optional(),
  isRunning: z.boolean(),
  rows: z.number(),
  writers: z.number(),
  sealed: z.number(),
  problemCount: z.number(),
  problems: z.array(
    z.object({ kind: z.string(), writer: z.number(), seq: z.number().optional(), text: z.string() }),
  ),
})

export const activityContract = {
  listActivity: { query: z.strictObject({ ...paging, ...filters }), response: pageOf(call) },
  exportActivity: { query: z.strictObject({ ...filters, format: z.enum(['jsonl', 'ocsf']).optional() }) },
  getActivity: { params: z.strictObject({ request: z.string() }), response: wholeCall },
  getChain: { response: chain },
  verifyChain: { response: chain },
}

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
