import { z } from 'zod'
import { flag, name, variant } from './common.ts'

const found = z.object({
  id: z.string(),
  server: z.string(),
  name: z.string(),
  title: z.string(),
  description: z.string(),
  signature: z.string(),
  variant,
  risk: z.number(),
  category: z.enum(['read', 'write', 'delete']),
  domains: z.array(z.string()),
  confirm: z.enum(['never', 'always']),
  score: z.number(),
  /** The parts of the score, highest first. Present only if the request asked for an explanation. */
  explain: z
    .array(
      z.object({
        /** A word of the query; `matched` is the word of the tool that it matched. */
        term: z.string(),
        matched: z.string(),
        /** Any of `name`, `title`, `description`, `parameters`, `server` and `domains`. */
        fields: z.array(z.string()),
        score: z.number(),
      }),
    )
    .optional(),
})

export const searchContract = {
  searchTools: {
    query: z.strictObject({
      query: z.string().max(400),
      /** The name of the token to search as; by default, a caller that may call everything. */
      as: name.optional(),
      limit: z.coerce.number().int().min(1).max(100).optional(),
      server: name.optional(),
      domain: z.string().max(60).optional(),
      category: z.enum(['read', 'write', 'delete']).optional(),
      readOnly: flag,
      excludeDestructive: flag,
      excludeOpenWorld: flag,
      idempotent: flag,
      explain: flag,
    }),
    response: z.object({
      query: z.string(),
      tools: z.array(found),
      /** All matches, including those beyond the limit. */
      total: z.number(),
      /** The words of the query that were interpreted as filters, keyed by filter. */
      understood: z.record(z.string(), z.string()).optional(),
      hidden: z.object({ filtered: z.number(), quarantined: z.number() }),
      hint: z.string().optional(),
    }),
  },
}
