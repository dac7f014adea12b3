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

/** The verdict about one call and its reasons. `notes` are remarks for the caller. */
export type Decision =
  | { readonly verdict: 'allow'; readonly reasons: readonly Reason[]; readonly notes: readonly string[] }
  | {
      readonly verdict: 'confirm'
      readonly reasons: readonly Reason[]
      readonly notes: readonly string[]
      readonly channel: Channel
      readonly remember: readonly Remember[]
      /** How many different people must approve, if more than one. */
      readonly approvers?: number
      /** The text that the agent read and because of which the call needs approval. */
      readonly origin?: OriginFacts
    }
  | {
      readonly verdict: 'deny'
      readonly code: DenyCode
      readonly reasons: readonly Reason[]
      readonly notes: readonly string[]
    }

/**
 * The steps in the order in which they are taken. Quarantined tools never get here, because `match-tool.ts` does not
 * find them.
 */
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
  const approvers = countApprovers(about, rules)
  const isJoint = approvers > 1
  const origin = asks.find(ask => ask.origin !== undefined)?.origin
  return {
    verdict: 'confirm',
    reasons: asks.flatMap(({ reasons }) => reasons),
    notes: notes ?? [],
    // The user of the client is one of those who ask, and each joint call is decided on its own.
    channel: isJoint || asks.some(({ channel }) => channel === 'person') ? 'person' : 'any',
    remember: isJoint ? [] : shared(asks.map(({ remember }) => remember)),
    ...(isJoint ? { approvers } : {}),
    ...(origin === undefined ? {} : { origin }),
  }
}

function countApprovers({ tool }: Case, { confirm }: Rules): number {
  const matching = confirm.approvers.filter(({ consequences }) =>
    consequences.some(kind => tool.consequence.kinds.includes(kind)),
  )
  return matching.reduce((most, { count }) => Math.max(most, count), 1)
}

/** Checks scope and intent only. Batches use it to check every call before the first one is sent. */
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

/** Every step with its result, including the steps after a deny. */
export function explain(about: Case, rules: Rules): readonly Explained[] {
  return STEPS.map(step => ({ step: step.name, result: step.judge(about, rules) }))
}
