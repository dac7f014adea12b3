import type { Scope } from '../scope/scope.ts'
import type { Facts, Reason } from './facts/facts.ts'
import type { Claim } from './facts/intent.ts'
import type { Channel, Remember, Rules } from './rules.ts'

/** The facts of a call, with what only the first steps look at. */
export interface Case extends Facts {
  readonly scope: Scope
  readonly claim: Claim | undefined
}

export type DenyCode =
  | 'permission_denied'
  | 'intent_mismatch'
  | 'policy_denied'
  | 'guardrail_blocked'
  | 'trifecta'

export type StepResult =
  | { readonly kind: 'pass' }
  | { readonly kind: 'deny'; readonly code: DenyCode; readonly reasons: readonly Reason[] }
  | {
      readonly kind: 'ask'
      readonly reasons: readonly Reason[]
      readonly channel: Channel
      readonly remember: readonly Remember[]
    }
  /** Let pass, with words for the caller. */
  | { readonly kind: 'note'; readonly notes: readonly string[] }

/** One question on the way to a verdict. */
export interface Step {
  readonly name: string
  judge(about: Case, rules: Rules): StepResult
}

export const PASS: StepResult = { kind: 'pass' }
