import { useQuery } from '@tanstack/react-query'
import { Hourglass } from 'lucide-react'
import type { ReactNode } from 'react'
import { type Approval, api } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Ago } from '../../parts/ago.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { Can } from '../../shell/me.tsx'

const COVERS: Readonly<Record<Approval['canRemember'][number], string>> = {
  arguments: 'the same arguments',
  session: 'its session',
  target: 'the same target in its session',
  rule: 'everything the rule asks about',
}

/** Shows the approvals that cover further calls, and lets people end them. */
export function GrantsList(): ReactNode {
  const grants = useQuery({
    queryKey: ['approvals', 'grants'],
    queryFn: () => api.listGrants({ query: { limit: 200 } }),
  })
  const revoke = useAction({
    do: (id: string) => api.revokeGrant({ params: { id } }),
    changes: ['approvals', 'activity'],
    done: 'Revoked. The next such call asks again',
  })
  return (
    <QueryView query={grants}>
      {({ items }) => (
        <Card
          title={`Lasting approvals (${items.length})`}
          about="An approval also ends when its tool or the rules change"
          flush
        >
          {items.length === 0 ? (
            <Empty icon={Hourglass} title="No lasting approvals are in force" />
          ) : (
            <ul className="lines divided">
              {items.map(grant => (
                <li key={grant.id} className="line">
                  <span className="grow line-text">
                    <Untrusted text={`${grant.principal}: ${grant.server}:${grant.tool}`} max={200} />
                    <span className="quiet small">
                      {` ${COVERS[grant.remembers ?? 'arguments']}, by `}
                      <Untrusted text={grant.decision?.by ?? ''} max={100} />
                    </span>
                  </span>
                  <span className="faint small">
                    ends <Ago at={grant.expiresAt} />
                  </span>
                  <Can needs="approver">
                    <Button size="small" kind="danger" onPress={() => revoke.mutate(grant.id)}>
                      Revoke
                    </Button>
                  </Can>
                </li>
              ))}
            </ul>
          )}
        </Card>
      )}
    </QueryView>
  )
}
