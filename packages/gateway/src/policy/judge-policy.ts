import type { Reason } from './facts/facts.ts'
import { verdictOf } from './rules/verdict-of.ts'
import type { Remember } from './rules.ts'
import { PASS, type Step } from './step.ts'

const NOTHING: readonly Remember[] = []
const NOT_ALLOWED: Reason = {
  rule: 'policy.default',
  source: 'config policyDefault',
  text: 'no rule allows this call',
}

/** What the operator's rules say. */
export const judgePolicy: Step = {
  name: 'policy',
  judge(about, { policies, confirm }) {
    const { verdict, by } = verdictOf(policies.evaluate(about), policies.fallback)
    if (verdict === 'allow') return PASS
    const reasons = by.map(({ reason }) => reason)
    if (verdict === 'deny')
      return { kind: 'deny', code: 'policy_denied', reasons: by.length > 0 ? reasons : [NOT_ALLOWED] }
    const isForPerson = confirm.channel === 'person' || by.some(({ channel }) => channel === 'person')
    return {
      kind: 'ask',
      reasons,
      channel: isForPerson ? 'person' : 'any',
      remember: shared(by.map(({ remember = NOTHING }) => remember)),
    }
  },
}

/** What may be remembered is what everybody who asks agrees to. */
export function shared(lists: readonly (readonly Remember[])[]): readonly Remember[] {
  const [first = NOTHING, ...others] = lists
  return first.filter(one => others.every(list => list.includes(one)))
}
