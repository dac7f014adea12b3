import type { Consequence, Graduation, TrifectaRule } from '@hintgate/metadata'
import type { Rate } from '../scope/scope.ts'
import type { Guardrails } from './guardrails/guardrail.ts'
import type { Channel, PolicySet, Remember } from './rules/policy-set.ts'

export { type Channel, REMEMBER, type Remember } from './rules/policy-set.ts'

/** What happens to a call that claims to do less than its tool does. */
export type IntentMode = 'strict' | 'warn' | 'off'

export interface ConfirmRules extends Graduation {
  readonly trifecta: TrifectaRule
  /** Whether the trifecta rule treats all sessions of one caller as one. */
  readonly acrossSessions: boolean
  /** Whether calls ask that a text the agent has read wants; `targets`: only where it names what they reach. */
  readonly provenance: 'off' | 'targets' | 'strict'
  readonly channel: Channel
  readonly remember: readonly Remember[]
  /** Calls that several people must approve. */
  readonly approvers: readonly Approvers[]
}

interface Approvers {
  readonly consequences: readonly Consequence[]
  readonly count: number
}

export interface Rules {
  /** Changes with every rule, so that an approval given under other rules no longer counts. */
  readonly version: string
  readonly intent: IntentMode
  readonly confirm: ConfirmRules
  readonly policies: Pick<PolicySet, 'fallback' | 'evaluate'>
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
