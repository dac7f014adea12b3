import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { api, type Welcome } from '../../api/client.ts'
import { isSetUp } from './steps.ts'

/** Polls because a call is logged shortly after its event. Stops when setup is complete. */
const LOOK_MS = 3000

/** The progress of the first steps. */
export function useWelcome(): UseQueryResult<Welcome> {
  return useQuery({
    queryKey: ['welcome'],
    queryFn: () => api.welcome(),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isSetUp(data) ? false : LOOK_MS),
  })
}
