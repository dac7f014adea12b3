import { type Approval, api } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'

interface Decision {
  readonly approval: Approval
  readonly decision: 'approve' | 'deny'
  readonly remember?: 'session' | 'arguments' | 'target'
  readonly note?: string
}

export type Decide = ReturnType<typeof useDecide>

export function useDecide() {
  return useAction({
    do: ({ approval: { id }, ...body }: Decision) => api.decideApproval({ params: { id }, body }),
    changes: ['approvals', 'overview', 'activity'],
    done: describeDecision,
  })
}

function describeDecision({ state, approvers, approvedBy = [] }: Approval): string {
  if (state === 'pending') return `Your approval was counted: ${approvedBy.length} of ${approvers}`
  return state === 'denied' ? 'Denied' : 'Approved'
}
