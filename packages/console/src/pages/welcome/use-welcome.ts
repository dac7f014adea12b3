import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { api, type Welcome } from '../../api/client.ts'
import { isSetUp } from './steps.ts'

/**
 * The polling interval. Polling is needed because a call is logged only after its event was sent; polling stops when
 * setup is complete.
 */
const LOOK_MS = 3000

/** Returns the person's progress through the first steps. */
export function useWelcome(): UseQueryResult<Welcome> {
  return useQuery({
    queryKey: ['welcome'],
    queryFn: () => api.welcome(),
    refetchInterval: ({ state: { data } }) => (data !== undefined && isSetUp(data) ? false : LOOK_MS),
  })
}
