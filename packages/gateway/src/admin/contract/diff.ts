import { z } from 'zod'
import { hintName } from './common.ts'

/** What the scanner found in one text of a definition. */
export const findingSchema = z.object({
  rule: z.string(),
  severity: z.string(),
  /** A JSON pointer: `/inputSchema/properties/x/description`. */
  field: z.string(),
  /** UTF-16 offsets in the text there. */
  start: z.number(),
  end: z.number(),
  /** The text in question, safe to show. */
  text: z.string(),
  reason: z.string(),
})

const word = z.object({ op: z.enum(['same', 'added', 'removed']), text: z.string() })

/** What a reviewer has to look at between two versions. */
export const versionDiff = z.object({
  /** Absent: there was nothing before. */
  from: z.string().optional(),
  to: z.string(),
  verdict: z.enum(['same', 'tightened', 'loosened']),
  hints: z.array(
    z.object({
      hint: hintName,
      from: z.boolean().optional(),
      to: z.boolean().optional(),
      direction: z.enum(['loosened', 'tightened']),
    }),
  ),
  /** Where words changed, word by word. */
  words: z.array(z.object({ path: z.string(), parts: z.array(word) })),
  /** Everything else that changed: schemas and other data. */
  schema: z.array(
    z.object({
      path: z.string(),
      change: z.enum(['added', 'removed', 'changed']),
      from: z.unknown().optional(),
      to: z.unknown().optional(),
    }),
  ),
  /** At a glance: `▼ destructiveHint`, `text`, `schema`. */
  summary: z.array(z.string()),
  /** There are more changes than anybody would read. */
  isCut: z.boolean(),
})
