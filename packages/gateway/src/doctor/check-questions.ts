import type { DoctorFinding } from './finding.ts'

/** How often a rule has asked lately, and what people answered. */
export interface AskingRule {
  readonly rule: string
  readonly questions: number
  readonly approved: number
  readonly denied: number
}

/** With fewer approved questions than this, the answers say little about a rule. */
const ENOUGH = 20
const ALWAYS = 0.95

/** Reports rules whose questions people always approve: after a while, nobody reads them any more. */
export function checkQuestions(rules: readonly AskingRule[]): readonly DoctorFinding[] {
  return rules
    .filter(
      ({ questions, approved, denied }) =>
        denied === 0 && approved >= ENOUGH && approved >= questions * ALWAYS,
    )
    .map(({ rule, approved }) => ({
      code: 'questions_always_approved',
      level: 'info',
      text: `${rule} asked ${approved} times in a week, and people approved every time; such questions are soon answered without being read`,
      fix: 'see which of them a narrow rule could remove with hintgate policy suggest (docs/fewer-questions.md)',
    }))
}

/** Reports waivers that have expired: they no longer remove any question, and make the policies longer. */
export function checkWaivers(
  rules: readonly { readonly id: string; readonly expires?: number; readonly source: string }[],
  now: number,
): readonly DoctorFinding[] {
  const expired = rules.filter(({ expires }) => expires !== undefined && expires <= now)
  const [first] = expired
  if (first === undefined) return []
  const count = expired.length === 1 ? 'One waiver has' : `${expired.length} waivers have`
  return [
    {
      code: 'waivers_expired',
      level: 'info',
      text: `${count} expired, so their questions are asked again: ${expired
        .map(({ id }) => id)
        .slice(0, 10)
        .join(', ')}`,
      fix: `remove them (${first.source}), or check with hintgate policy suggest whether they are still needed`,
    },
  ]
}
