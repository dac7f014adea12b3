import type { OriginFacts, Reason } from './facts/facts.ts'
import { judgeProvenance } from './judge-provenance.ts'
import { judgeRisk } from './judge-risk.ts'
import type { Channel, Remember, Rules } from './rules.ts'
import {
  type Case,
  type DenyCode,
  judgeGuardrails,
  judgeIntent,
  judgePolicy,
  judgeScope,
  judgeVariant,
  type Step,
  type StepResult,
  shared,
} from './step.ts'

/** What is to become of a call, and what determined it. `notes` are words for the caller. */
export type Decision =
  | { readonly verdict: 'allow'; readonly reasons: readonly Reason[]; readonly notes: readonly string[] }
  | {
      readonly verdict: 'confirm'
      readonly reasons: readonly Reason[]
      readonly notes: readonly string[]
      readonly channel: Channel
      readonly remember: readonly Remember[]
      /** What made it ask, where that is a text that the agent read. */
      readonly origin?: OriginFacts
    }
  | {
      readonly verdict: 'deny'
      readonly code: DenyCode
      readonly reasons: readonly Reason[]
      readonly notes: readonly string[]
    }

/** In this order. What is quarantined does not come this far: it cannot be found. */
const STEPS: readonly Step[] = [
  judgeScope,
  judgeIntent,
  judgePolicy,
  judgeGuardrails,
  judgeRisk,
  judgeProvenance,
  judgeVariant,
]

const ALLOW: Decision = { verdict: 'allow', reasons: [], notes: [] }

type Ask = Extract<StepResult, { kind: 'ask' }>

/** The first deny wins; every confirm is kept. Pure: the same facts and rules give the same decision. */
export function decide(about: Case, rules: Rules): Decision {
  let asks: Ask[] | undefined
  let notes: string[] | undefined
  for (const step of STEPS) {
    const result = step.judge(about, rules)
    if (result.kind === 'pass') continue
    if (result.kind === 'deny')
      return { verdict: 'deny', code: result.code, reasons: result.reasons, notes: notes ?? [] }
    if (result.kind === 'note') notes = [...(notes ?? []), ...result.notes]
    else asks = [...(asks ?? []), result]
  }
  if (asks === undefined) return notes === undefined ? ALLOW : { ...ALLOW, notes }
  const origin = asks.find(ask => ask.origin !== undefined)?.origin
  return {
    verdict: 'confirm',
    reasons: asks.flatMap(({ reasons }) => reasons),
    notes: notes ?? [],
    channel: asks.some(({ channel }) => channel === 'person') ? 'person' : 'any',
    remember: shared(asks.map(({ remember }) => remember)),
    ...(origin === undefined ? {} : { origin }),
  }
}

/** What the claim of a call alone is worth, for those who have to know before anything is called. */
export function decideClaim(about: Case, rules: Rules): Extract<StepResult, { kind: 'deny' }> | undefined {
  for (const step of [judgeScope, judgeIntent]) {
    const result = step.judge(about, rules)
    if (result.kind === 'deny') return result
  }
  return undefined
}

export interface Explained {
  readonly step: string
  readonly result: StepResult
}

/** Every step with its result, also those after a deny: the whole way, for whoever wants to understand it. */
export function explain(about: Case, rules: Rules): readonly Explained[] {
  return STEPS.map(step => ({ step: step.name, result: step.judge(about, rules) }))
}
