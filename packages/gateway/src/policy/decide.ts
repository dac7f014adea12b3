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
import { type Waived, waive } from './waive.ts'

/** The verdict on a call, with its reasons. `notes` are remarks for the caller. */
export type Decision =
  | { readonly verdict: 'allow'; readonly reasons: readonly Reason[]; readonly notes: readonly string[] }
  | {
      readonly verdict: 'confirm'
      readonly reasons: readonly Reason[]
      readonly notes: readonly string[]
      readonly channel: Channel
      readonly remember: readonly Remember[]
      /** The number of different people who must approve, if it is more than one. */
      readonly approvers?: number
      /** The text because of which the call needs approval. The agent has read it. */
      readonly origin?: OriginFacts
    }
  | {
      readonly verdict: 'deny'
      readonly code: DenyCode
      readonly reasons: readonly Reason[]
      readonly notes: readonly string[]
    }

/**
 * The steps of a decision, in order. There is no step for quarantine, because `match-tool.ts` does not find quarantined
 * tools.
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

/**
 * Decides on a call. The first deny wins, and the reasons of all steps that want a confirmation are kept. The function
 * is pure: the same facts and rules always give the same decision.
 */
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
  const { asks: left, because } = waiveUnlessJoint(asks, about, rules)
  return left.length === 0
    ? { verdict: 'allow', reasons: because, notes: notes ?? [] }
    : askFor(left, countApprovers(about, rules), notes ?? [])
}

function askFor(
  asks: readonly Ask[],
  approvers: number,
  notes: readonly string[],
): Extract<Decision, { verdict: 'confirm' }> {
  const isJoint = approvers > 1
  const origin = asks.find(ask => ask.origin !== undefined)?.origin
  return {
    verdict: 'confirm',
    reasons: asks.flatMap(({ reasons }) => reasons),
    notes,
    // A joint approval needs people outside the client, so its channel is always `person`.
    channel: isJoint || asks.some(({ channel }) => channel === 'person') ? 'person' : 'any',
    remember: isJoint ? [] : shared(asks.map(({ remember }) => remember)),
    ...(isJoint ? { approvers } : {}),
    ...(origin === undefined ? {} : { origin }),
  }
}

/** A call that several people must approve is too important for a waiver, whoever wrote it. */
function waiveUnlessJoint(asks: readonly Ask[], about: Case, rules: Rules): Waived {
  return countApprovers(about, rules) > 1 ? { asks, because: [] } : waive(asks, about, rules)
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

/** Returns the result of every step, including the steps after a deny, and the questions that waivers remove. */
export function explain(about: Case, rules: Rules): readonly Explained[] {
  const steps = STEPS.map(step => ({ step: step.name, result: step.judge(about, rules) }))
  const asks = steps.flatMap(({ result }) => (result.kind === 'ask' ? [result] : []))
  const { because } = asks.length === 0 ? NOTHING_WAIVED : waiveUnlessJoint(asks, about, rules)
  if (because.length === 0) return steps
  return [...steps, { step: 'waivers', result: { kind: 'note', notes: because.map(({ text }) => text) } }]
}

const NOTHING_WAIVED: Waived = { asks: [], because: [] }
