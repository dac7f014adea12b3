import { useQuery } from '@tanstack/react-query'
import { Waypoints } from 'lucide-react'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { LEGS, LegsPicture } from '../../parts/legs-picture.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { pathOf } from '../../shell/paths.ts'
import { LevelBadge } from './level-badge.tsx'
import { nameOfSession } from './name-of-session.ts'
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
      about="What each conversation has touched. Private data, untrusted content and a way out together are enough for an attack."
    >
      <QueryView query={sessions}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Waypoints} title="No sessions yet">
              A session begins with the first call of an agent.
            </Empty>
          ) : (
            <ul className="session-grid">
              {items.map(({ id, principal, usedAt, level, legs }) => (
                <li key={id}>
                  <a className="session-card" href={`#${pathOf.session(id)}`}>
                    <div className="session-picture">
                      <LegsPicture legs={legs} small />
                    </div>
                    <div className="session-words">
                      <p className="strong cut">
                        <Untrusted text={principal} max={60} />
                      </p>
                      <p className="faint small cut mono">
                        <Untrusted text={nameOfSession(id, principal)} max={60} />
                      </p>
                      <p className="small quiet">
                        {legs.length === 0
                          ? 'nothing yet'
                          : LEGS.filter(({ leg }) => legs.some(each => each.leg === leg))
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
