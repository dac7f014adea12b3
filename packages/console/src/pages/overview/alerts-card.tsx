import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Overview } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Card } from '../../parts/card.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { toPagePath } from './page-path.ts'

const SHOWN = 8

export function AlertsCard({ alerts }: { readonly alerts: Overview['alerts'] }): ReactNode {
  return (
    <Card
      title="Alerts"
      about="Contradictions, changed tools, servers that are down and risky sessions"
      flush
    >
      {alerts.length === 0 ? (
        <Empty icon={CircleCheck} title="No alerts" />
      ) : (
        <ul className="lines divided">
          {alerts.slice(0, SHOWN).map(({ kind, text, at, link }) => (
            <li key={`${kind} ${at} ${text}`}>
              <a className="line" href={`#${toPagePath(link)}`}>
                <TriangleAlert size={15} aria-hidden="true" className="line-icon" />
                <span className="grow line-text">
                  <Untrusted text={text} max={300} />
                </span>
                <span className="faint small">
                  <Ago at={at} />
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
