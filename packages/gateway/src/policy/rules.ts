import type { Consequence, Graduation, TrifectaRule } from '@hintgate/metadata'
import type { Rate } from '../scope/scope.ts'
import type { Guardrails } from './guardrails/guardrail.ts'
import type { Channel, PolicySet, Remember } from './rules/policy-set.ts'

export { type Channel, REMEMBER, type Remember } from './rules/policy-set.ts'

/** How to treat a call that claims to do less than its tool does. */
export type IntentMode = 'strict' | 'warn' | 'off'

export interface ConfirmRules extends Graduation {
  readonly trifecta: TrifectaRule
  /** True if the trifecta rule treats all sessions of one caller as a single session. */
  readonly acrossSessions: boolean
  /**
   * Whether a call needs approval if text that the agent has read asks for it. With `targets`, it needs approval only
   * if the text names what the call reaches, such as a recipient.
   */
  readonly provenance: 'off' | 'targets' | 'strict'
  readonly channel: Channel
  readonly remember: readonly Remember[]
  /** Settings for calls that several people must approve. */
  readonly approvers: readonly Approvers[]
}

interface Approvers {
  readonly consequences: readonly Consequence[]
  readonly count: number
}

export interface Rules {
  /**
   * A digest that changes with every change to a rule, so that an approval given under different rules no longer
   * counts.
   */
  readonly version: string
  readonly intent: IntentMode
  readonly confirm: ConfirmRules
  readonly policies: Pick<PolicySet, 'fallback' | 'evaluate' | 'waiversOf'>
  readonly guardrails: Pick<Guardrails, 'size' | 'check' | 'checkTexts' | 'ratesOf'>
  readonly results: (server: string) => ResultRules
  readonly rateOf: (server: string) => Rate | undefined
}

export interface ResultRules {
  readonly schema: 'off' | 'flag' | 'block'
  readonly secrets: 'off' | 'flag' | 'redact' | 'block'
  readonly pii: 'off' | 'flag' | 'redact' | 'block'
  readonly hidden: 'off' | 'flag' | 'strip' | 'block'
  readonly instructions: 'off' | 'flag' | 'mark' | 'block'
}
