import { useQuery } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import type { ReactNode } from 'react'
import { api, type SessionPage as Data } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import { useAction } from '../../api/use-action.ts'
import { Ago } from '../../parts/ago.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { RISK_FACTORS, RiskFactorsDiagram } from '../../parts/risk-factors-diagram.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { Can } from '../../shell/me.tsx'
import { pathOf } from '../../shell/paths.ts'
import { usePathParts } from '../../shell/use-path-parts.ts'
import { LevelBadge } from './level-badge.tsx'
import { shortSessionName } from './short-session-name.ts'
import { Timeline } from './timeline.tsx'
import './sessions.css'

export function SessionPage(): ReactNode {
  const [, id = ''] = usePathParts()
  const session = useQuery({
    queryKey: ['sessions', id],
    queryFn: () => api.getSession({ params: { id } }),
  })
  const reset = useAction({
    do: () => api.resetSession({ params: { id } }),
    changes: ['sessions'],
    done: 'Session risk reset',
    // The session cannot be fetched again: without risk factors, the gateway no longer keeps it.
    onDone: fresh =>
      queryClient.setQueryData<Data>(['sessions', id], before => before && { ...before, ...fresh }),
  })
  return (
    <Page
      name="Session"
      back={{ to: '/sessions', label: 'Sessions' }}
      title={session.data === undefined ? 'Session' : <Untrusted text={session.data.principal} max={80} />}
      about={
        <span className="row-wrap">
          <code>
            <Untrusted text={shortSessionName(id, session.data?.principal)} max={120} />
          </code>
          {session.data !== undefined && (
            <>
              <LevelBadge level={session.data.level} />
              <span className="faint">
                last used <Ago at={session.data.usedAt} />
              </span>
            </>
          )}
        </span>
      }
      actions={
        <Can needs="operator">
          <Button icon={RotateCcw} onPress={() => reset.mutate(undefined)}>
            Reset risk
          </Button>
        </Can>
      }
    >
      <QueryView query={session}>
        {data => (
          <div className="session-columns">
            <RiskFactorsCard session={data} />
            <Card title="Calls" about="Oldest first" flush>
              <Timeline calls={data.calls} riskFactors={data.riskFactors} />
            </Card>
          </div>
        )}
      </QueryView>
    </Page>
  )
}

/** Shows the diagram, and the call that added each risk factor. */
function RiskFactorsCard({ session: { riskFactors } }: { readonly session: Data }): ReactNode {
  return (
    <Card title="Risk factors">
      <div className="stack">
        <RiskFactorsDiagram riskFactors={riskFactors} />
        <dl className="risk-factor-notes">
          {RISK_FACTORS.map(({ factor, label }) => {
            const found = riskFactors.find(each => each.factor === factor)
            return (
              <div key={factor}>
                <dt className="strong">{label}</dt>
                <dd className="quiet small">
                  {found === undefined ? (
                    'not touched'
                  ) : (
                    <a href={`#${pathOf.call(found.request)}`}>
                      <Untrusted text={found.tool} max={120} />
                      {found.basis === 'assumed' && ', assumed'} <Ago at={found.at} />
                    </a>
                  )}
                </dd>
              </div>
            )
          })}
        </dl>
      </div>
    </Card>
  )
}
