import { AdminError } from '@hintgate/gateway/admin'
import { QueryClient } from '@tanstack/react-query'

/**
 * The subject of a query. It is the first part of every query key, and events mark all queries about a subject as
 * stale.
 */
export type Subject =
  | 'me'
  | 'welcome'
  | 'overview'
  | 'approvals'
  | 'tools'
  | 'toolsets'
  | 'review'
  | 'sessions'
  | 'activity'
  | 'chain'
  | 'servers'
  | 'agents'
  | 'policies'
  | 'search'
  | 'doctor'

const isTransient = (error: unknown): boolean => !(error instanceof AdminError) || error.status >= 500

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // Events mark data as stale. This age limit is for events that were missed.
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 2 && isTransient(error),
    },
  },
})

/** Refetches all queries about these subjects. Call this after an action in the console. */
export async function refresh(...subjects: readonly Subject[]): Promise<void> {
  await Promise.all(subjects.map(subject => queryClient.invalidateQueries({ queryKey: [subject] })))
}

/**
 * A list with more loaded pages than this is not refetched after an event, because the person is reading further down.
 */
const FOLLOWED = 3

/** Refetches all queries about these subjects after an event, except for long lists. */
export async function follow(...subjects: readonly Subject[]): Promise<void> {
  const predicate = ({ state }: { readonly state: { readonly data: unknown } }): boolean =>
    countPages(state.data) <= FOLLOWED
  await Promise.all(
    subjects.map(subject => queryClient.invalidateQueries({ queryKey: [subject], predicate })),
  )
}

function countPages(data: unknown): number {
  if (typeof data !== 'object' || data === null || !('pages' in data)) return 0
  return Array.isArray(data.pages) ? data.pages.length : 0
}
