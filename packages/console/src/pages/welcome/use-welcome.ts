import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { api, type Welcome } from '../../api/client.ts'
import { isSetUp } from './steps.ts'

/**
 * The interval of polling, which is needed because a call is logged only after its event. Polling stops when setup is
 * complete.
 */
const LOOK_MS = 3000

/** Returns the progress of the first steps. */
export function useWelcome(): UseQueryResult<Welcome> {
  return useQuery({
    queryKey: ['welcome'],
    queryFn: () => api.welcome(),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isSetUp(data) ? false : LOOK_MS),
  })
}
