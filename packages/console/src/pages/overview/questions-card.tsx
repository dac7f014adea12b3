import { MessageCircleQuestion } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Overview } from '../../api/client.ts'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { formatDuration } from '../../words/format-time.ts'

const SHOWN = 5

/** Shows who asks people how often, and which rules ask. */
export function QuestionsCard({ questions: figures }: Pick<Overview, 'questions'>): ReactNode {
  const { questions, agents, rules } = figures
  return (
    <Card title="Questions" about={summaryOf(figures)} flush>
      {questions === 0 ? (
        <Empty icon={MessageCircleQuestion} title="No questions in the last 7 days" />
      ) : (
        <div className="halves">
          <ul className="lines divided" aria-label="Agents that ask most">
            {agents.slice(0, SHOWN).map(({ agent, questions: count, perDay }) => (
              <li key={agent} className="line">
                <span className="grow line-text">
                  <Untrusted text={agent} max={120} />
                </span>
                <span className="faint small">
                  {count} · {perDay} a day
                </span>
              </li>
            ))}
          </ul>
          <ul className="lines divided" aria-label="Rules that ask most">
            {rules.slice(0, SHOWN).map(({ rule, questions: count, approved }) => (
              <li key={rule}>
                <a className="line" href="#/policies?view=fewer">
                  <span className="grow line-text">
                    <Untrusted text={rule} max={120} />
                  </span>
                  <span className="faint small">
                    {count} · {share(approved, count)} approved
                  </span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  )
}

function summaryOf({ questions, approved, denied, medianMs, isCut }: Overview['questions']): string {
  if (questions === 0) return 'What people were asked'
  const answered = medianMs === undefined ? '' : `; half of the answers within ${sayLength(medianMs)}`
  const cut = isCut ? '; older questions are not counted' : ''
  return `${questions} in 7 days, ${share(approved, questions)} approved, ${denied} denied${answered}${cut}`
}

/** People take minutes, where calls take milliseconds. */
function sayLength(ms: number): string {
  return ms < 60_000 ? formatDuration(ms) : `${Math.round(ms / 60_000)} min`
}

function share(part: number, of: number): string {
  return `${Math.round((part / of) * 100)} %`
}
