import { z } from 'zod'
import { hintValues, name, note, pageOf, paging, time, variant } from './common.ts'
import { definition, findingSchema, versionDiff } from './tools.ts'

const kind = z.enum(['tool', 'prompt', 'template', 'instructions'])
const state = z.enum(['pending', 'changed', 'rejected', 'disabled'])

const waiting = z.object({
  server: z.string(),
  kind,
  name: z.string(),
  state,
  fingerprint: z.string(),
  /** When this version was first seen. */
  since: time,
  /** At a glance: `new`, `▼ destructiveHint`, `text`, `renamed from x`. */
  summary: z.array(z.string()),
  /** What is wrong with its name. */
  why: z.string().optional(),
  isSuspicious: z.boolean(),
  findings: z.array(findingSchema),
  /** Against the version that was last approved. */
  diff: versionDiff.optional(),
  /** Tools only: what inference would make of it, and how it would be called. */
  suggestion: z.object({ hints: hintValues, variant, variantIfNot: variant }).optional(),
  definition,
  before: definition.optional(),
})

export const reviewContract = {
  listReview: {
    query: z.strictObject({
      ...paging,
      server: name.optional(),
      kind: kind.optional(),
      state: state.optional(),
    }),
    response: pageOf(waiting),
  },
  reviewMany: {
    body: z.strictObject({
      items: z
        .array(
          z.strictObject({
            server: name,
            kind,
            name,
            fingerprint: z.string(),
            verdict: z.enum(['approve', 'reject']),
          }),
        )
        .min(1)
        .max(5000),
      note: note.optional(),
    }),
    response: z.object({
      done: z.number(),
      refused: z.array(z.object({ server: z.string(), kind, name: z.string(), why: z.string() })),
    }),
  },
}
