import { z } from 'zod'
import { maybe } from './leaves.ts'

/** What rules on calls and results look like in the config; each rule's own fields are checked when it is compiled. */

export const guardrails = z.array(z.looseObject({ rule: z.string().min(1).describe('Which rule.') }))

const FLAG = z.enum(['off', 'flag', 'block'])

export const resultRules = z.strictObject({
  schema: maybe(FLAG, "Results that do not fit the tool's own output schema; flag."),
  secrets: maybe(z.enum(['off', 'flag', 'redact', 'block']), 'Secrets in results; off.'),
  pii: maybe(z.enum(['off', 'flag', 'redact', 'block']), 'Personal data in results; off.'),
  hidden: maybe(
    z.enum(['off', 'flag', 'strip', 'block']),
    'Characters that nobody sees, in results from an open world; flag.',
  ),
  instructions: maybe(
    z.enum(['off', 'flag', 'mark', 'block']),
    'Text that speaks to the model, in results from an open world; flag.',
  ),
})
