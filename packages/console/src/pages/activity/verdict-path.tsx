import type { ReactNode } from 'react'
import type { WholeCall } from '../../api/client.ts'
import { Card } from '../../parts/card.tsx'
import { Reasons } from '../../parts/reasons.tsx'
import { sayDuration } from '../../words/say-time.ts'
import { sayAnswer } from './say-answer.ts'

/** From the question to the end: what was decided and why, then what came of it. */
export function VerdictPath({ call }: { readonly call: WholeCall }): ReactNode {
  const answer = sayAnswer(call)
  const steps = [
    { title: sayVerdict(call), body: <Reasons reasons={call.reasons} /> },
    ...(answer === undefined ? [] : [{ title: answer, body: null }]),
    { title: sayEnding(call), body: null },
  ]
  return (
    <Card title="How it went">
      <ol className="path">
        {steps.map(({ title, body }) => (
          <li key={title}>
            <p className="strong">{title}</p>
            {body}
          </li>
        ))}
      </ol>
    </Card>
  )
}

function sayVerdict({ verdict }: WholeCall): string {
  if (verdict === 'allow') return 'Allowed'
  if (verdict === 'confirm') return 'A person was asked'
  return verdict === 'deny' ? 'Refused' : 'It did not come to a verdict'
}

function sayEnding({ outcome, attempts = 0, durationMs, code }: WholeCall): string {
  const tries = attempts > 1 ? ` after ${attempts} attempts` : ''
  const time = durationMs === undefined ? '' : ` in ${sayDuration(durationMs)}`
  switch (outcome) {
    case 'answered':
      return `The server answered${tries}${time}`
    case 'tool_error':
      return `The tool said that it failed${tries}${time}`
    case 'error':
      return `The server answered with an error${tries}${time}`
    case 'refused':
      return `Nothing was forwarded${code === undefined ? '' : ` (${code})`}`
    case 'failed':
      return `No answer reached the caller${tries}${code === undefined ? '' : ` (${code})`}`
    case 'asked':
      return 'The caller has to come back with an answer'
    case 'cancelled':
      return 'The caller gave up'
    case 'open':
      return 'It is still running'
    default:
      return 'Nobody knows how it ended: the gateway stopped meanwhile'
  }
}
