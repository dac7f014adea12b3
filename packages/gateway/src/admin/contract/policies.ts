import { z } from 'zod'
import { moment, reason, verdict } from './common.ts'

const problem = z.object({
  file: z.string(),
  line: z.number(),
  column: z.number(),
  message: z.string(),
  fix: z.string(),
})

const path = z.string().min(1).max(500)
const text = z.string().max(1_000_000)
const file = z.strictObject({ path, text })

const rule = z.object({
  id: z.string(),
  effect: z.enum(['allow', 'confirm', 'deny']),
  /** The rule in words. */
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

export const policiesContract = {
  getPolicies: {
    response: z.object({
      files: z.array(savedFile),
      rules: z.array(rule),
      /** What holds where no rule speaks. */
      default: z.enum(['allow', 'deny']),
      guardrails: z.array(
        z.object({
          rule: z.string(),
          /** `global`, `agent NAME`, `server NAME`, `tool NAME`. */
          layer: z.string(),
          /** Everything else that the config says of it. */
          settings: z.record(z.string(), z.unknown()),
        }),
      ),
      /** What comes with the gateway and may be copied. */
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
      /** In the place of the files of that path, or besides them. */
      files: z.array(file).max(50).optional(),
    }),
    response: z.object({
      /** Absent: the call does not even come to a verdict; `refusal` says why. */
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
      /** Calls of which too little is known. */
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
  savePolicy: { params: z.strictObject({ path }), body: z.strictObject({ text }), response: savedFile },
}
