import { z } from 'zod'

/** RFC 9457, with a stable code. */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  /** Stable; programs go by it. */
  code: z.string(),
  /** The page about the code. */
  docs: z.string().optional(),
  /** What is wrong, place by place. */
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
