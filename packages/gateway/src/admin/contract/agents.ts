import { z } from 'zod'
import { ROLES } from '../../scope/role.ts'
import { moment, name, pageOf, place, reason, time, variant, verdict } from './common.ts'

const permission = z.enum(['retrieve_tools', 'call_tool_read', 'call_tool_write', 'call_tool_destructive'])
const confirm = z.partialRecord(variant, z.enum(['never', 'always']))

export const agent = z.object({
  name: z.string(),
  kind: z.enum(['agent', 'person']),
  /** The token's first characters, to recognise it by. Undefined if the agent is only in the config. */
  hint: z.string().optional(),
  /** Only people have a role. */
  role: z.enum(ROLES).optional(),
  status: z.enum(['active', 'expired', 'revoked', 'configured', 'without token']),
  permissions: z.array(permission),
  servers: z.array(z.string()),
  tools: z.array(z.string()).optional(),
  /** The toolsets that the agent can use. If there are any, it can use no other endpoint. */
  sets: z.array(z.string()).optional(),
  confirm: confirm.optional(),
  rate: z.object({ limit: z.number(), windowMs: z.number() }).optional(),
  statesTask: z.boolean().optional(),
  createdAt: time.optional(),
  expiresAt: time.optional(),
  revokedAt: time.optional(),
  lastUsedAt: time.optional(),
  /** Where the token's scope is set: in the store, by a command or the console, or in the config. */
  source: z.enum(['store', 'config']),
})

const minted = agent.extend({
  token: z.string().meta({ description: 'The secret, which is shown only once' }),
})
const params = z.strictObject({ name })

const reachable = z.object({ id: z.string(), title: z.string(), asks: z.boolean() })

const problem = z.object({ file: z.string(), ...place })

const path = z.string().min(1).max(500)
const text = z.string().max(1_000_000)
const file = z.strictObject({ path, text })

const rule = z.object({
  id: z.string(),
  effect: z.enum(['allow', 'confirm', 'deny', 'waive']),
  prose: z.string(),
  reason: z.string(),
  cel: z.string().optional(),
  file: z.string(),
  line: z.number(),
})

const step = z.object({
  step: z.string(),
  result: z.enum(['pass', 'note', 'ask', 'deny']),
  code: z.string().optional(),
  reasons: z.array(reason),
  notes: z.array(z.string()),
})

const savedFile = z.object({
  path: z.string(),
  text: z.string(),
  etag: z.string(),
  problems: z.array(problem),
})

export const agentsContract = {
  listAgents: { response: pageOf(agent) },
  createAgent: {
    body: z.strictObject({
      name,
      kind: z.enum(['agent', 'person']).optional(),
      /** Only for people; `viewer` by default. */
      role: z.enum(ROLES).optional(),
      permissions: z.array(permission).max(4).optional(),
      /** Names or globs; none by default. */
      servers: z.array(z.string().min(1).max(200)).max(1000).optional(),
      tools: z.array(z.string().min(1).max(1000)).max(1000).optional(),
      /** Names or globs of toolsets. With them, the agent can use no other endpoint. */
      sets: z.array(z.string().min(1).max(200)).max(1000).optional(),
      /** A duration such as `30d` or `12h`. */
      expiresIn: z.string().max(20).optional(),
      /** A rate such as `60/m`. */
      rate: z.string().max(40).optional(),
      confirm: confirm.optional(),
      /** True if the agent's client may state what its user asked for. */
      statesTask: z.boolean().optional(),
    }),
    response: minted,
  },
  rotateAgent: { params, response: minted },
  revokeAgent: { params, response: agent },
  getReach: {
    params,
    response: z.object({
      name: z.string(),
      permissions: z.array(permission),
      /** The tools that the agent may call, by the variant that each requires. */
      read: z.array(reachable),
      write: z.array(reachable),
      destructive: z.array(reachable),
      /** The number of tools in the scope that cannot be called because a permission is missing. */
      outOfReach: z.number(),
      /** The number of tools in the scope that wait for review. */
      held: z.number(),
    }),
  },
  getPolicies: {
    response: z.object({
      files: z.array(savedFile),
      rules: z.array(rule),
      /** The verdict when no rule matches. */
      default: z.enum(['allow', 'deny']),
      guardrails: z.array(
        z.object({
          rule: z.string(),
          /** One of `global`, `agent NAME`, `server NAME` and `tool NAME`. */
          layer: z.string(),
          /** The rule's other settings in the config. */
          settings: z.record(z.string(), z.unknown()),
        }),
      ),
      /** Bundled policies that can be copied. */
      bundled: z.array(z.object({ path: z.string(), text: z.string() })),
    }),
  },
  checkPolicy: { body: file, response: z.object({ problems: z.array(problem), rules: z.array(rule) }) },
  tryPolicy: {
    body: z.strictObject({
      call: z.strictObject({
        /** The name of a token, as in `/agents`. */
        agent: z.string().max(200),
        server: z.string().max(200),
        tool: z.string().max(1000),
        args: z.record(z.string(), z.unknown()).optional(),
        variant: z.enum(['read', 'write', 'destructive']).optional(),
      }),
      /** Draft policy files. Each one replaces the current file with the same path, or is added if there is none. */
      files: z.array(file).max(50).optional(),
    }),
    response: z.object({
      /** Undefined if the call would be refused before a verdict. */
      verdict: verdict.optional(),
      code: z.string().optional(),
      reasons: z.array(reason),
      notes: z.array(z.string()),
      path: z.array(step),
      refusal: z.object({ code: z.string(), message: z.string() }).optional(),
    }),
  },
  replayPolicies: {
    body: z.strictObject({
      files: z.array(file).max(50),
      since: moment,
      limit: z.number().int().min(1).max(100_000).optional(),
    }),
    response: z.object({
      looked: z.number(),
      /** The number of calls that cannot be replayed, because their records lack the necessary data. */
      skipped: z.number(),
      changedCount: z.number(),
      changed: z.array(
        z.object({
          request: z.string(),
          at: z.number(),
          tool: z.string(),
          agent: z.string(),
          before: verdict,
          after: verdict,
          rules: z.array(z.string()),
        }),
      ),
    }),
  },
  listSuggestions: {
    /** How far back the log is read; 30 days by default. */
    query: z.strictObject({ since: moment }),
    response: z.object({
      suggestions: z.array(
        z.object({
          id: z.string(),
          text: z.string(),
          /** The rules whose questions the suggested rule removes. */
          waives: z.array(z.string()),
          agents: z.string(),
          servers: z.string(),
          tool: z.string(),
          questions: z.number(),
          sessions: z.number(),
          people: z.array(z.string()),
          lastAt: time,
          /** The newest calls that the rule would have covered. */
          covered: z.array(z.object({ id: z.string(), at: time, action: z.string() })),
          newlyAllows: z.array(z.string()),
          replay: z.object({
            /** Absent if there are no recorded attacks. */
            hijackedRuns: z.number().optional(),
            deniedCalls: z.number(),
            probes: z.number(),
          }),
          /** The rule as YAML, with placeholders for author and expiry. */
          rule: z.string(),
        }),
      ),
      rejected: z.array(z.object({ text: z.string(), questions: z.number(), why: z.string() })),
      asked: z.number(),
      approved: z.number(),
      removed: z.number(),
      waived: z.number(),
      /** True if the log has more calls than were read. */
      isCut: z.boolean(),
      /** False if there are no recorded attacks to replay. */
      hasHijacks: z.boolean(),
    }),
  },
  acceptSuggestion: {
    params: z.strictObject({ id: z.string().max(100) }),
    body: z.strictObject({
      /** A duration such as `30d`, which is the default; at most `366d`. */
      expiresIn: z.string().max(20).optional(),
      reason: z.string().max(500).optional(),
      since: moment,
    }),
    response: z.object({ path: z.string(), id: z.string(), expires: time }),
  },
  savePolicy: { params: z.strictObject({ path }), body: z.strictObject({ text }), response: savedFile },
}
