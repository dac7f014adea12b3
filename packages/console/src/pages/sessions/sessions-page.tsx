import { useQuery } from '@tanstack/react-query'
import { Waypoints } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { RISK_FACTORS, RiskFactorsDiagram } from '../../parts/risk-factors-diagram.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { pathOf } from '../../shell/paths.ts'
import { LevelBadge } from './level-badge.tsx'
import { shortSessionName } from './short-session-name.ts'
import './sessions.css'

export function SessionsPage(): ReactNode {
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: () => api.listSessions({ query: { limit: 200 } }),
  })
  return (
    <Page
      title="Sessions"
      name="Sessions"
      about="The risk factors of each session. Private data, untrusted content and external communication together are enough for an attack."
    >
      <QueryView query={sessions}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Waypoints} title="No sessions yet">
              A session starts with an agent's first call.
            </Empty>
          ) : (
            <ul className="session-grid">
              {items.map(({ id, principal, usedAt, level, riskFactors }) => (
                <li key={id}>
                  <a className="session-card" href={`#${pathOf.session(id)}`}>
                    <div className="session-picture">
                      <RiskFactorsDiagram riskFactors={riskFactors} small />
                    </div>
                    <div className="session-words">
                      <p className="strong cut">
                        <Untrusted text={principal} max={60} />
                      </p>
                      <p className="faint small cut mono">
                        <Untrusted text={shortSessionName(id, principal)} max={60} />
                      </p>
                      <p className="small quiet">
                        {riskFactors.length === 0
                          ? 'no risk factors'
                          : RISK_FACTORS.filter(({ factor }) =>
                              riskFactors.some(each => each.factor === factor),
                            )
                              .map(({ label }) => label.toLowerCase())
                              .join(', ')}
                      </p>
                      <p className="row small faint">
                        <LevelBadge level={level} /> <Ago at={usedAt} />
                      </p>
                    </div>
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Page>
  )
}
