import type { ReactNode } from 'react'
import type { ToolPage } from '../../api/client.ts'
import { Card } from '../../parts/card.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'

type Consequence = ToolPage['consequence']

export function ConsequenceCard({ consequence }: { readonly consequence: Consequence }): ReactNode {
  const { kinds, targets, evidence, source } = consequence
  return (
    <Card title="Consequence" about="Effects that a call can have beyond the server's own data">
      <p>
        {kinds.length === 0 ? 'None known' : kinds.join(', ')}{' '}
        <span className="quiet small">
          {source === 'override' ? 'set by an operator' : <Untrusted text={from(evidence)} />}
        </span>
      </p>
      {targets.length > 0 && (
        <p className="small">
          <span className="quiet">Targets:</span>{' '}
          <span className="mono">
            <Untrusted text={targets.join(', ')} max={400} />
          </span>
        </p>
      )}
    </Card>
  )
}

function from(evidence: readonly string[]): string {
  return evidence.length === 0 ? '' : `inferred from ${evidence.map(word => `"${word}"`).join(', ')}`
}
