import type { ReactNode } from 'react'
import type { Approval } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'

export function DecisionMade({ approval: { decision, state } }: { readonly approval: Approval }): ReactNode {
  if (decision === undefined) return <p className="quiet asked-foot">Not answered in time.</p>
  return (
    <p className="quiet asked-foot">
      {state === 'denied' ? 'Denied' : 'Approved'} by{' '}
      <b>
        <Untrusted text={decision.by} max={80} />
      </b>{' '}
      via <Untrusted text={decision.via} max={40} /> <Ago at={decision.at} />
      {state === 'spent' && '; used'}
      {decision.note !== undefined && (
        <>
          : “<Untrusted text={decision.note} max={400} />”
        </>
      )}
    </p>
  )
}
