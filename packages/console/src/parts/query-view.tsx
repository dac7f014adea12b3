import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Failure, Loading } from './state.tsx'

interface Props<T> {
  readonly query: UseQueryResult<T>
  readonly rows?: number
  readonly children: (data: T) => ReactNode
}

/**
 * Shows whether a query is loading, has failed or has data. Earlier data stays visible while the query is refetched.
 */
export function QueryView<T>({ query, rows, children }: Props<T>): ReactNode {
  if (query.data !== undefined) return children(query.data)
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return <Loading {...(rows === undefined ? {} : { rows })} />
}
