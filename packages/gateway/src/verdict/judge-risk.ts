import type { Reason } from './facts.ts'
import type { ConfirmRules } from './rules.ts'
import { addLegs, LEGS, type Leg, legsBroughtBy, type SessionLegs } from './session-risk.ts'
import { type Case, PASS, type Step, type StepResult } from './step.ts'

/**
 * Whether this call would bring together in one session what must not meet: private data, somebody else's words and a
 * way out. The call that completes the three asks, and from then on every call that leads outside.
 */
export const judgeRisk: Step = {
  name: 'session risk',
  judge(about, { confirm }) {
    if (confirm.trifecta === 'off') return PASS
    const { isComplete, known } = meet(about)
    if (!isComplete) return judgeEgress(about, confirm)
    if (!isExercised(about)) return PASS
    const isSure = known >= 2
    if (confirm.trifecta === 'warn' || (confirm.trifecta === 'declared' && !isSure))
      return { kind: 'note', notes: [warningOf(after(about))] }
    const now = after(about)
    const reasons = LEGS.map(leg => reasonOf(leg, now))
    if (confirm.trifecta === 'deny') return { kind: 'deny', code: 'trifecta', reasons }
    const { channel, remember } = confirm
    return { kind: 'ask', reasons, channel, remember }
  },
}

const THIS_CALL = 'this call'

/** Whether all three would be there, and how many of them are more than assumed. Most calls end here, so nothing is made. */
function meet({ session, tool }: Case): { readonly isComplete: boolean; readonly known: number } {
  const brought = legsBroughtBy(tool.effective)
  let known = 0
  for (const leg of LEGS) {
    const had = session.legs[leg]
    const brings = brought[leg]
    if (had === undefined && brings === undefined) return INCOMPLETE
    if (had?.basis === 'declared' || brings === 'declared') known += 1
  }
  return { isComplete: true, known }
}

const INCOMPLETE = { isComplete: false, known: 0 }

function after({ session, tool, now }: Case): SessionLegs {
  return addLegs(session.legs, tool.effective, { tool: tool.name, request: THIS_CALL, at: now })
}

/** It brings the last of the three, or all are there and it leads outside. */
function isExercised({ session, tool }: Case): boolean {
  const isMissing = LEGS.some(leg => session.legs[leg] === undefined)
  return isMissing || legsBroughtBy(tool.effective).way_out !== undefined
}

/** What cannot be called back is not sent while somebody else's words may be what asks for it. */
function judgeEgress({ tool, session }: Case, { trifecta, channel, remember }: ConfirmRules): StepResult {
  const { egress, reversible } = tool.effective
  const isFinal = isSaid(egress, true) && isSaid(reversible, false)
  const tainted = session.legs.untrusted_content
  if (!isFinal || tainted?.basis !== 'declared' || trifecta === 'warn') return PASS
  const text = `it sends what cannot be called back (${egress.source}), after ${tainted.tool} brought in untrusted content`
  return {
    kind: 'ask',
    reasons: [{ rule: 'session.irreversible_egress', source: 'session', text }],
    channel,
    remember,
  }
}

function isSaid(hint: { readonly value: boolean; readonly source: string }, value: boolean): boolean {
  return hint.value === value && hint.source !== 'default'
}

const NAMES: Readonly<Record<Leg, string>> = {
  private_data: 'private data',
  untrusted_content: 'untrusted content',
  way_out: 'a way out',
}

function reasonOf(leg: Leg, legs: SessionLegs): Reason {
  const mark = legs[leg]
  const by = mark?.request === THIS_CALL ? THIS_CALL : `${mark?.tool} (request ${mark?.request})`
  return { rule: 'session.trifecta', source: 'session', text: `${NAMES[leg]}: ${by}, ${mark?.basis}` }
}

function warningOf(legs: SessionLegs): string {
  const parts = LEGS.map(leg => reasonOf(leg, legs).text).join('; ')
  return `This session may join private data, untrusted content and a way out: ${parts}.`
}
