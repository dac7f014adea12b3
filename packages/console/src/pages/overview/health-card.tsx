import { useQuery } from '@tanstack/react-query'
import { Server as ServerIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { Card } from '../../parts/card.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { HealthBadge } from '../../parts/word-badges.tsx'
import { pathOf } from '../../shell/paths.ts'
import { formatCount } from '../../words/format-count.ts'

export function HealthCard(): ReactNode {
  const servers = useQuery({ queryKey: ['servers'], queryFn: () => api.listServers() })
  return (
    <Card title="Servers" about="Upstream health" flush>
      <QueryView query={servers}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={ServerIcon} title="No servers yet">
              <a href="#/servers">Add a server</a>
            </Empty>
          ) : (
            <ul className="lines divided">
              {items.map(({ name, state, tools, held, lastError }) => (
                <li key={name}>
                  <a className="line" href={`#${pathOf.server(name)}`}>
                    <span className="grow line-text">
                      <Untrusted text={name} max={60} />
                      {lastError !== undefined && state !== 'ready' && (
                        <span className="faint small line-more">
                          <Untrusted text={lastError} max={120} />
                        </span>
                      )}
                    </span>
                    <span className="faint small">
                      {formatCount(tools, 'tool')}
                      {held > 0 ? `, ${held} in review` : ''}
                    </span>
                    <HealthBadge state={state} />
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </Card>
  )
}
