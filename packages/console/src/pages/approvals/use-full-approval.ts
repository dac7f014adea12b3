import { useQuery } from '@tanstack/react-query'
import { type Approval, api } from '../../api/client.ts'

/**
 * Returns an approval with all its arguments, because lists leave out long arguments. `isCut` is true until they are
 * loaded.
 */
export function useFullApproval(listed: Approval | undefined): Approval | undefined {
  const { data } = useQuery({
    queryKey: ['approvals', 'one', listed?.id],
    queryFn: () => api.getApproval({ params: { id: listed?.id ?? '' } }),
    enabled: listed?.isCut === true,
  })
  return listed?.isCut === true && data?.id === listed.id ? data : listed
}
