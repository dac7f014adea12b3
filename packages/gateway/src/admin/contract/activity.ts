import { z } from 'zod'
import { ROLES } from '../../scope/role.ts'
import {
  basis,
  factor,
  hint,
  hints,
  moment,
  note,
  pageOf,
  paging,
  reason,
  riskLevel,
  time,
  variant,
  verdict,
} from './common.ts'

const counts = {
  read: z.number(),
  write: z.number(),
  destructive: z.number(),
  allowed: z.number(),
  asked: z.number(),
  refused: z.number(),
  failed: z.number(),
}

const person = z.object({ name: z.string(), role: z.enum(ROLES), expiresAt: time.optional() })

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
  sentence: z.string(),
  severity: z.enum(['info', 'notice', 'warning']),
  session: z.string().optional(),
  /** The number of refusals that this row counts. Absent for a single call. */
  repeats: z.number().optional(),
})

/** The decision: who made it, through which channel, and when. */
const decided = z.object({ by: z.string(), via: z.string(), at: time, note: z.string().optional() })

const wholeCall = call.extend({
  detail: z.string().optional(),
  attempts: z.number().optional(),
  door: z.string().optional(),
  /** The toolset whose endpoint received the call. */
  set: z.string().optional(),
  typed: z.string().optional(),
  /** The app that made the call. */
  asker: z.string().optional(),
  fingerprint: z.string().optional(),
  hints: z.record(z.string(), hint).optional(),
  intent: z.unknown().optional(),
  /** Secrets are masked. */
  arguments: z.unknown().optional(),
  argumentBytes: z.number().optional(),
  resultBytes: z.number().optional(),
  reasons: z.array(reason),
  /** The text, in an earlier call's result, that asks for this call. */
  origin: z
    .object({
      /**
       * `target`: the text contains the value of `argument`. `occasion`: the text asks for exactly this call. `kind`:
       * the text asks for a call of this kind.
       */
      kind: z.enum(['target', 'occasion', 'kind']),
      argument: z.string(),
      server: z.string(),
      tool: z.string(),
      request: z.string(),
      at: time,
    })
    .optional(),
  /** What the detectors found in the result: kinds and counts, never the text. */
  findings: z
    .array(z.object({ kind: z.string(), rule: z.string(), count: z.number(), action: z.string() }))
    .optional(),
  approval: z.string().optional(),
  approver: decided.optional(),
  /** The positions of the call's rows in the hash chains. */
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
  severity: z.enum(['info', 'notice', 'warning']).optional(),
  /** Text to find in a call's sentence, tool, agent or request id. */
  text: z.string().max(200).optional(),
}

const chain = z.object({
  /** Undefined if the log has not been verified since this gateway started. */
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

/** The text, in an earlier call's result, that asks for this call. */
const origin = z.object({
  argument: z.string(),
  server: z.string(),
  tool: z.string(),
  request: z.string(),
  at: time,
  /** The text itself, which is untrusted. */
  passage: z.string(),
})

const session = z.object({
  id: z.string(),
  principal: z.string(),
  usedAt: time,
  level: riskLevel,
  /** The session's risk factors, each with the call that added it; `tool` is `server:tool`. */
  riskFactors: z.array(z.object({ factor, tool: z.string(), request: z.string(), at: time, basis })),
})

const params = z.strictObject({ id: z.string().max(500) })

const remember = z.enum(['session', 'arguments', 'target', 'rule'])

export const approval = z.object({
  id: z.string(),
  /** `expired`: the approval was not answered in time, or it was approved but not used in time. */
  state: z.enum(['pending', 'approved', 'denied', 'spent', 'standing', 'expired', 'revoked']),
  server: z.string(),
  /** The tool's name, without the server's. */
  tool: z.string(),
  /** The toolset whose endpoint received the call. */
  set: z.string().optional(),
  title: z.string(),
  action: z.string(),
  variant,
  /** `agent:NAME` or `person:NAME`. */
  principal: z.string(),
  session: z.string(),
  /** Secrets are masked. */
  arguments: z.unknown(),
  /** The call's parameters other than its arguments. */
  others: z.unknown().optional(),
  /** True if `arguments` or `others` are shortened, which happens only in lists. */
  isCut: z.boolean(),
  hints,
  risk: riskLevel,
  riskFactors: z.array(z.object({ factor, tool: z.string(), basis })),
  preview: z.string().optional(),
  origin: origin.optional(),
  reasons: z.array(reason),
  /** `person`: the caller's own client cannot answer. */
  channel: z.enum(['any', 'person']),
  canRemember: z.array(remember),
  /** The number of different people who must approve. */
  approvers: z.number(),
  /** The people who have approved so far, if several must. Not included in lists. */
  approvedBy: z.array(z.string()).optional(),
  createdAt: time,
  expiresAt: time,
  decision: decided.optional(),
  /** What a lasting approval covers. */
  remembers: remember.optional(),
  /** Who ended a lasting approval before its time, and when. */
  revokedBy: z.string().optional(),
  revokedAt: time.optional(),
})

export const activityContract = {
  signIn: { body: z.strictObject({ code: z.string().max(200) }), response: person },
  signOut: { response: z.object({}) },
  me: { response: person.extend({ version: z.string(), demo: z.boolean() }) },
  welcome: {
    response: z.object({
      servers: z.number(),
      /** The number of definitions that wait for review. */
      waiting: z.number(),
      agents: z.number(),
      callsSeen: z.number().meta({ description: 'Recorded calls, counted up to 1000' }),
    }),
  },
  overview: {
    query: z.strictObject({ window: z.enum(['1h', '24h', '7d']).optional() }),
    response: z.object({
      window: z.enum(['1h', '24h', '7d']),
      bucketMs: z.number(),
      buckets: z.array(z.object({ at: time, ...counts })),
      totals: z.object({ calls: z.number(), ...counts }),
      /** True if the window contains more calls than were counted. The oldest ones are left out. */
      isCut: z.boolean(),
      /** The latency of forwarded calls, in milliseconds; undefined if no call was forwarded. */
      latency: z.object({
        p50: z.number().optional(),
        p95: z.number().optional(),
        p99: z.number().optional(),
      }),
      servers: z.object({
        ready: z.number(),
        starting: z.number(),
        down: z.number(),
        total: z.number(),
      }),
      waiting: z.object({ approvals: z.number(), tools: z.number() }),
      /** The questions of the last seven days. */
      questions: z.object({
        questions: z.number(),
        approved: z.number(),
        denied: z.number(),
        open: z.number(),
        /** The median time from question to answer, in milliseconds; absent if nothing was answered. */
        medianMs: z.number().optional(),
        days: z.array(z.object({ at: time, questions: z.number() })),
        agents: z.array(z.object({ agent: z.string(), questions: z.number(), perDay: z.number() })),
        rules: z.array(
          z.object({ rule: z.string(), questions: z.number(), approved: z.number(), denied: z.number() }),
        ),
        isCut: z.boolean(),
      }),
      alerts: z.array(
        z.object({
          /** One of `contradiction`, `server.down`, `tool.changed` and `trifecta`. */
          kind: z.string(),
          text: z.string(),
          at: time,
          /** A path in the console. */
          link: z.string(),
        }),
      ),
    }),
  },
  listActivity: { query: z.strictObject({ ...paging, ...filters }), response: pageOf(call) },
  exportActivity: { query: z.strictObject({ ...filters, format: z.enum(['jsonl', 'ocsf']).optional() }) },
  getActivity: { params: z.strictObject({ request: z.string() }), response: wholeCall },
  getChain: { response: chain },
  verifyChain: { response: chain },
  listSessions: { query: z.strictObject(paging), response: pageOf(session) },
  getSession: { params, response: session.extend({ calls: z.array(call) }) },
  resetSession: { params, response: session },
  listApprovals: {
    query: z.strictObject({ ...paging, state: z.enum(['pending', 'all']).optional() }),
    response: pageOf(approval),
  },
  listGrants: {
    query: z.strictObject({ ...paging, state: z.enum(['active', 'all']).optional() }),
    response: pageOf(approval),
  },
  revokeGrant: { params: z.strictObject({ id: z.string() }), response: approval },
  getPush: {
    /** `publicKey` is absent if the config has no channel that notifies browsers. */
    response: z.object({ publicKey: z.string().optional() }),
  },
  subscribePush: {
    body: z.strictObject({
      endpoint: z.string().max(2048),
      keys: z.strictObject({ p256dh: z.string().max(200), auth: z.string().max(100) }),
    }),
    response: z.object({}),
  },
  unsubscribePush: {
    body: z.strictObject({ endpoint: z.string().max(2048) }),
    response: z.object({ removed: z.boolean() }),
  },
  getApproval: { params: z.strictObject({ id: z.string() }), response: approval },
  decideApproval: {
    params: z.strictObject({ id: z.string() }),
    body: z.strictObject({
      decision: z.enum(['approve', 'deny']),
      remember: remember.optional(),
      /** How long further calls are covered, such as `1d`; an hour by default. */
      for: z.string().max(20).optional(),
      note: note.optional(),
    }),
    response: approval,
  },
}
