import { HINT_NAMES } from '@hintgate/metadata'
import { z } from 'zod'

export const time = z.number().meta({ description: 'Milliseconds since the epoch' })

export const variant = z.enum(['read', 'write', 'destructive'])
export const verdict = z.enum(['allow', 'confirm', 'deny'])
export const hintName = z.enum(HINT_NAMES)
export const source = z.enum(['override', 'declared', 'inferred', 'default'])

/** The value of a hint and its source. `confidence` is set for inferred hints. */
export const hint = z.object({ value: z.boolean(), source, confidence: z.number().optional() })

/** Every hint with its value and source; none is missing. */
export const hints = z.record(hintName, hint)

/** Some hints, set by an operator. */
export const hintValues = z.partialRecord(hintName, z.boolean())

export const reason = z.object({ rule: z.string(), source: z.string(), text: z.string() })

export const factor = z.enum(['private_data', 'untrusted_content', 'external_communication'])
export const basis = z.enum(['declared', 'assumed'])
export const riskLevel = z.enum(['none', 'some', 'trifecta'])

/** Free text of limited length. */
export const note = z.string().max(2000)

export const name = z.string().min(1).max(1000)
export const fingerprint = z.string().regex(/^[0-9a-f]{64}$/)

const limit = z.coerce.number().int().min(1).max(500).optional()
const cursor = z.string().max(2000).optional()

export const paging = { limit, cursor }

/** `next` is set when there are more items; send it as `cursor`. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({ items: z.array(item), next: z.string().optional(), total: z.number().optional() })
}

/** A time in a query: milliseconds since the epoch, ISO 8601, or an age (`24h`). */
export const moment = z.string().max(40).optional()

export const flag = z
  .enum(['true', 'false'])
  .transform(value => value === 'true')
  .optional()

export const place = { line: z.number(), column: z.number(), message: z.string(), fix: z.string() }

/** A problem as RFC 9457 describes it, with a stable code. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  /** The stable code, for programs. */
  code: z.string(),
  docs: z.string().optional(),
  errors: z
    .array(
      z.object({
        path: z.string(),
        message: z.string(),
        fix: z.string().optional(),
        line: z.number().optional(),
        column: z.number().optional(),
      }),
    )
    .optional(),
})
