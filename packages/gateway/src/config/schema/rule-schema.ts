import { z } from 'zod'

/** What rules on calls and results look like in the config; each rule's own fields are checked when it is compiled. */

export const guardrails = z.array(z.looseObject({ rule: z.string().min(1).describe('Which rule.') }))

const FLAG = z.enum(['off', 'flag', 'block'])

export const resultRules = z.strictObject({
  schema: FLAG.describe("Results that do not fit the tool's own output schema; flag.").optional(),
  secrets: z.enum(['off', 'flag', 'redact', 'block']).describe('Secrets in results; off.').optional(),
  pii: z.enum(['off', 'flag', 'redact', 'block']).describe('Personal data in results; off.').optional(),
  hidden: z
    .enum(['off', 'flag', 'strip', 'block'])
    .describe('Characters that nobody sees, in results from an open world; flag.')
    .optional(),
  instructions: z
    .enum(['off', 'flag', 'mark', 'block'])
    .describe('Text that speaks to the model, in results from an open world; flag.')
    .optional(),
})
