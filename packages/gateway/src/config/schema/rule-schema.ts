import { z } from 'zod'
import { maybe } from './leaves.ts'

/** The shape of rules about calls and results. Each rule's own keys are checked when the rule is compiled. */

export const guardrails = z.array(
  z.looseObject({ rule: z.string().min(1).describe('The name of the rule.') }),
)

const FLAG = z.enum(['off', 'flag', 'block'])

export const resultRules = z.strictObject({
  schema: maybe(FLAG, "Results that do not match the tool's output schema. Default: flag."),
  secrets: maybe(z.enum(['off', 'flag', 'redact', 'block']), 'Secrets in results. Default: off.'),
  pii: maybe(z.enum(['off', 'flag', 'redact', 'block']), 'Personal data in results. Default: off.'),
  hidden: maybe(
    z.enum(['off', 'flag', 'strip', 'block']),
    'Invisible characters in results of open-world tools. Default: flag.',
  ),
  instructions: maybe(
    z.enum(['off', 'flag', 'mark', 'block']),
    'Instruction-like text in results of open-world tools. Default: flag.',
  ),
})
