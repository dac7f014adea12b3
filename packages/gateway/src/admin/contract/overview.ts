import { z } from 'zod'
import { ROLES } from '../../scope/role.ts'
import { time } from './common.ts'

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

export const overviewContract = {
  signIn: { body: z.strictObject({ code: z.string().max(200) }), response: person },
  signOut: { response: z.object({}) },
  me: { response: person.extend({ version: z.string(), demo: z.boolean() }) },
  welcome: {
    response: z.object({
      servers: z.number(),
      /** Definitions that wait for review. */
      waiting: z.number(),
      /** Tokens of agents. */
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
      /** There were more calls in the window than were counted; the oldest are missing. */
      isCut: z.boolean(),
      /** Milliseconds, of calls that were forwarded; absent where there were none. */
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
      alerts: z.array(
        z.object({
          /** `contradiction`, `server.down`, `tool.changed`, `trifecta`. */
          kind: z.string(),
          text: z.string(),
          at: time,
          /** A path of the console. */
          link: z.string(),
        }),
      ),
    }),
  },
}
