import { PASS, type Step } from './step.ts'

/** Rules on arguments: the same answer for the same arguments, always. */
export const judgeGuardrails: Step = {
  name: 'guardrails',
  judge(about, { guardrails, confirm }) {
    const hits = guardrails.check(about)
    if (hits.length === 0) return PASS
    const denies = hits.filter(({ effect }) => effect === 'deny')
    if (denies.length > 0)
      return { kind: 'deny', code: 'guardrail_blocked', reasons: denies.map(({ reason }) => reason) }
    const { channel, remember } = confirm
    return { kind: 'ask', reasons: hits.map(({ reason }) => reason), channel, remember }
  },
}
