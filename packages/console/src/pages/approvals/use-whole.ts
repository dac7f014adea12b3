import { useQuery } from '@tanstack/react-query'
import { type Approval, api } from '../../api/client.ts'

/** A question with everything in it: lists leave out what is long. Until all is there, it says `isCut`. */
export function useWhole(listed: Approval | undefined): Approval | undefined {
  const { data } = useQuery({
    queryKey: ['approvals', 'one', listed?.id],
    queryFn: () => api.getApproval({ params: { id: listed?.id ?? '' } }),
    enabled: listed?.isCut === true,
  })
  return listed?.isCut === true && data?.id === listed.id ? data : listed
}
