import { useQuery } from '@tanstack/react-query'
import { type Approval, api } from '../../api/client.ts'

/**
 * Returns an approval with all its arguments and the people who have approved so far, both of which lists leave out.
 * `isCut` is true until the arguments are loaded.
 */
export function useFullApproval(listed: Approval | undefined): Approval | undefined {
  const hasMore = listed !== undefined && (listed.isCut || listed.approvers > 1)
  const { data } = useQuery({
    queryKey: ['approvals', 'one', listed?.id],
    queryFn: () => api.getApproval({ params: { id: listed?.id ?? '' } }),
    enabled: hasMore,
  })
  return hasMore && data?.id === listed.id ? data : listed
}
