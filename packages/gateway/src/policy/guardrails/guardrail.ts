import type { Facts, Reason } from '../facts/facts.ts'

export interface GuardrailSource {
  readonly layer: 'global' | 'agent' | 'server' | 'tool'
  readonly agent?: string
  readonly server?: string
  readonly tools?: readonly string[]
  /** The location of this list of rules in the config, so that problems can be reported with their line. */
  readonly path: readonly (string | number)[]
  readonly rules: readonly unknown[]
  /** The rules as they are written in the config, before variables such as `${env:NAME}` were filled in. */
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

/** A rate limit. Calls are counted outside the policy, because a verdict has no memory. */
export interface RateRule {
  /** Calls with the same key are counted together. */
  readonly key: string
  readonly limit: number
  readonly windowMs: number
  readonly reason: Reason
}

export interface Guardrails {
  readonly size: number
  /** Returns the violations of all rules, those of global rules first. Never throws, whatever the arguments are. */
  check(facts: Facts): readonly GuardrailHit[]
  /** Checks only the rules that read text. These also apply to requests that are not tool calls. */
  checkTexts(facts: Facts): readonly GuardrailHit[]
  ratesOf(facts: Facts): readonly RateRule[]
}
