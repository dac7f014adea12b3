import type { Facts, Reason } from '../facts/facts.ts'

export interface GuardrailSource {
  readonly layer: 'global' | 'agent' | 'server' | 'tool'
  readonly agent?: string
  readonly server?: string
  readonly tools?: readonly string[]
  /** Where the list stands in the config, so that a problem can be shown at its line. */
  readonly path: readonly (string | number)[]
  readonly rules: readonly unknown[]
  /** The same as they are written, where something in them is filled in. */
  readonly written?: readonly unknown[]
}

export interface GuardrailProblem {
  readonly path: readonly (string | number)[]
  readonly message: string
  readonly fix: string
}

export interface GuardrailHit {
  readonly effect: 'deny' | 'confirm'
  readonly reason: Reason
}

/** A limit to be counted elsewhere: counting needs memory, and a verdict has none. */
export interface RateRule {
  /** Calls with the same key count together. */
  readonly key: string
  readonly limit: number
  readonly windowMs: number
  readonly reason: Reason
}

export interface Guardrails {
  readonly size: number
  /** Every rule that objects to a call, global ones first. Never throws, whatever the arguments are. */
  check(facts: Facts): readonly GuardrailHit[]
  /** The same of the rules that read texts: they are about whatever is sent, with a tool or without. */
  checkTexts(facts: Facts): readonly GuardrailHit[]
  ratesOf(facts: Facts): readonly RateRule[]
}
