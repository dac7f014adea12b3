import type { ReactNode } from 'react'
import type { Trial } from '../../api/client.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Reasons } from '../../parts/reasons.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { VerdictBadge } from '../../parts/word-badges.tsx'

type StepResult = Trial['path'][number]['result']

const RESULTS: Readonly<Record<StepResult, readonly [Tone, string]>> = {
  pass: ['good', 'pass'],
  note: ['info', 'note'],
  ask: ['warn', 'ask'],
  deny: ['bad', 'deny'],
}

/** Shows the steps that lead to a verdict. */
export function TrialResult({ trial }: { readonly trial: Trial }): ReactNode {
  return (
    <Card title="Result" actions={trial.verdict !== undefined && <VerdictBadge verdict={trial.verdict} />}>
      <div className="stack" role="status">
        {trial.refusal !== undefined && (
          <p className="warning">
            <b>{trial.refusal.code}</b> <Untrusted text={trial.refusal.message} max={400} />
          </p>
        )}
        <ol className="trial divided">
          {trial.path.map(({ step, result, reasons, notes }) => {
            const [tone, label] = RESULTS[result]
            return (
              <li key={step}>
                <p className="row spread">
                  <span className="strong">{step}</span>
                  <Badge tone={tone}>{label}</Badge>
                </p>
                <Reasons reasons={reasons} />
                {notes.map(note => (
                  <p key={note} className="quiet small">
                    <Untrusted text={note} max={300} />
                  </p>
                ))}
              </li>
            )
          })}
        </ol>
      </div>
    </Card>
  )
}
