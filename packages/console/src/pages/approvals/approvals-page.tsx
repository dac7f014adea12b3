import { useQuery } from '@tanstack/react-query'
import { Inbox } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Approval, api } from '../../api/client.ts'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Segments } from '../../parts/segments.tsx'
import { Empty } from '../../parts/state.tsx'
import { navigate } from '../../shell/hash-location.ts'
import { useMay } from '../../shell/me.tsx'
import { pathOf } from '../../shell/paths.ts'
import { useKeys } from '../../shell/use-keys.ts'
import { usePathParts } from '../../shell/use-path-parts.ts'
import { ApprovalDetail } from './approval-detail.tsx'
import { ApprovalList } from './approval-list.tsx'
import { GrantsList } from './grants-list.tsx'
import { neighbourOf } from './neighbour.ts'
import { NotificationSwitch } from './notification-switch.tsx'
import { useDecide } from './use-decide.ts'
import { useFullApproval } from './use-full-approval.ts'
import './approvals.css'

const VIEWS = [
  { id: 'pending', label: 'Waiting' },
  { id: 'all', label: 'All' },
  { id: 'grants', label: 'Lasting' },
] as const

export function ApprovalsPage(): ReactNode {
  const [view, setView] = useState<'pending' | 'all' | 'grants'>('pending')
  const approvals = useQuery({
    queryKey: ['approvals', view],
    queryFn: () => api.listApprovals({ query: { state: view === 'grants' ? 'all' : view, limit: 200 } }),
    enabled: view !== 'grants',
    refetchInterval: 15_000,
  })
  return (
    <Page
      title="Approvals"
      name="Approvals"
      about="Calls waiting for approval. An approval is valid for one call with these exact arguments, unless you choose to remember it."
      actions={
        <>
          <NotificationSwitch />
          <Segments label="Show" options={VIEWS} value={view} onChange={setView} />
        </>
      }
    >
      {view === 'grants' ? (
        <GrantsList />
      ) : (
        <QueryView query={approvals}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty icon={Inbox} title={view === 'pending' ? 'No calls are waiting' : 'No approvals yet'}>
                When an agent calls a tool that needs approval, the call appears here immediately.
              </Empty>
            ) : (
              <ApprovalInbox items={items} />
            )
          }
        </QueryView>
      )}
    </Page>
  )
}

function ApprovalInbox({ items }: { readonly items: readonly Approval[] }): ReactNode {
  const [, id] = usePathParts()
  const mayDecide = useMay('approver')
  const chosen = useFullApproval(items.find(approval => approval.id === id) ?? items[0])
  const decide = useDecide()
  const go = (step: 1 | -1) => (): void => {
    const next = neighbourOf(items, chosen?.id, step)
    if (next !== undefined) navigate(pathOf.approval(next.id), { replace: true })
  }
  const answer = (decision: 'approve' | 'deny') => (): void => {
    // A call can be approved only when all its arguments are shown. A denial is always possible.
    const maySay = mayDecide && (decision === 'deny' || chosen?.isCut === false)
    if (chosen?.state === 'pending' && maySay) decide.mutate({ approval: chosen, decision })
  }
  useKeys({ j: go(1), k: go(-1), a: answer('approve'), d: answer('deny') })
  if (chosen === undefined) return null
  return (
    <div className="desk">
      <ApprovalList items={items} chosen={chosen.id} />
      <ApprovalDetail key={chosen.id} approval={chosen} decide={decide} />
    </div>
  )
}
