import { AdminError } from '@hintgate/gateway/admin'
import { QueryClient } from '@tanstack/react-query'

/** The first part of every key: what an event may make stale. */
export type Subject =
  | 'me'
  | 'welcome'
  | 'overview'
  | 'approvals'
  | 'tools'
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
      // Events say when something is stale; this is for those that were missed.
      staleTime: 15_000,
      refetchOnWindowFocus: true,
      retry: (count, error) => count < 2 && isTransient(error),
    },
  },
})

/** Somebody did something: whatever is about these subjects is read again. */
export async function refresh(...subjects: readonly Subject[]): Promise<void> {
  await Promise.all(subjects.map(subject => queryClient.invalidateQueries({ queryKey: [subject] })))
}

/** Pages of a list that are read again whenever something happens. Who has scrolled further is reading, and is let. */
const FOLLOWED = 3

/** Something happened: whatever is about these subjects is read again, except for long lists. */
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
