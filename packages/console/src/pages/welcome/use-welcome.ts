import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { api, type Welcome } from '../../api/client.ts'
import { isSetUp } from './steps.ts'

/** A first call may be in the log a moment after it was announced; steps that are done are not looked at again. */
const LOOK_MS = 3000

/** How far the first steps are. */
export function useWelcome(): UseQueryResult<Welcome> {
  return useQuery({
    queryKey: ['welcome'],
    queryFn: () => api.welcome(),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isSetUp(data) ? false : LOOK_MS),
  })
}
