import type { ReactNode } from 'react'
import type { CallDetail } from '../../api/client.ts'
import { Card } from '../../parts/card.tsx'
import { Reasons } from '../../parts/reasons.tsx'
import { formatDuration } from '../../words/format-time.ts'
import { describeDecision } from './describe-decision.ts'

/** Shows the verdict with its reasons, a person's decision if there was one, and the outcome. */
export function VerdictPath({ call }: { readonly call: CallDetail }): ReactNode {
  const answer = describeDecision(call)
  const steps = [
    { title: describeVerdict(call), body: <Reasons reasons={call.reasons} /> },
    ...(answer === undefined ? [] : [{ title: answer, body: null }]),
    { title: describeOutcome(call), body: null },
  ]
  return (
    <Card title="What happened">
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

function describeVerdict({ verdict }: CallDetail): string {
  if (verdict === 'allow') return 'Allowed'
  if (verdict === 'confirm') return 'Approval required'
  return verdict === 'deny' ? 'Denied' : 'No verdict was reached'
}

function describeOutcome({ outcome, attempts = 0, durationMs, code }: CallDetail): string {
  const tries = attempts > 1 ? ` after ${attempts} attempts` : ''
  const time = durationMs === undefined ? '' : ` in ${formatDuration(durationMs)}`
  switch (outcome) {
    case 'answered':
      return `The server answered${tries}${time}`
    case 'tool_error':
      return `The tool reported an error${tries}${time}`
    case 'error':
      return `The server returned a protocol error${tries}${time}`
    case 'refused':
      return `The call was not forwarded${code === undefined ? '' : ` (${code})`}`
    case 'failed':
      return `The caller received no answer${tries}${code === undefined ? '' : ` (${code})`}`
    case 'asked':
      return 'The server asked the client for input'
    case 'cancelled':
      return 'The caller cancelled the call'
    case 'open':
      return 'The call is still running'
    default:
      return 'The outcome is unknown because the gateway stopped during the call'
  }
}
