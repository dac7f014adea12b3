import type { Reason } from './facts/facts.ts'
import { sayWaived, type Waiver } from './rules/waiver.ts'
import type { Rules } from './rules.ts'
import type { Case, StepResult } from './step.ts'

type Ask = Extract<StepResult, { kind: 'ask' }>

/** The questions that are left after all waivers, and a reason for each one that is not asked. */
export interface Waived {
  readonly asks: readonly Ask[]
  readonly because: readonly Reason[]
}

/**
 * Removes the questions that waivers name. A waiver can only remove questions: a call that is denied never gets here.
 * Questions that an operator required on the caller's own token are still asked.
 */
export function waive(asks: readonly Ask[], about: Case, { policies }: Pick<Rules, 'policies'>): Waived {
  const waivers = policies.waiversOf(about)
  if (waivers.length === 0) return { asks, because: [] }
  const because: Reason[] = []
  const left = asks.flatMap(ask => {
    const reasons = ask.reasons.filter(reason => {
      const waiver = findWaiver(waivers, reason)
      if (waiver !== undefined) because.push(sayWaived(reason.rule, waiver))
      return waiver === undefined
    })
    // If some of a step's questions are left, its channel and the choices of what to remember stay as strict as before.
    return reasons.length === 0 ? [] : [{ ...ask, reasons }]
  })
  return { asks: left, because }
}

function findWaiver(waivers: readonly Waiver[], { rule, source }: Reason): Waiver | undefined {
  return source === 'token' ? undefined : waivers.find(({ waives }) => waives.includes(rule))
}
