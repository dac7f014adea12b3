import { useInfiniteQuery } from '@tanstack/react-query'
import { Activity } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { api } from '../../api/client.ts'
import { Page } from '../../parts/page.tsx'
import { Segments } from '../../parts/segments.tsx'
import { Empty, Failure, Loading } from '../../parts/state.tsx'
import { useFilters } from '../../shell/use-filters.ts'
import { ActivityFilters } from './activity-filters.tsx'
import { toActivityQuery } from './activity-query.ts'
import { CallFeed } from './call-feed.tsx'
import { CallTable } from './call-table.tsx'
import { ChainStatus } from './chain-status.tsx'
import { ExportMenu } from './export-menu.tsx'
import './activity.css'

const PAGE = 100

const VIEWS = [
  { id: 'feed', label: 'Feed' },
  { id: 'table', label: 'Table' },
] as const

export function ActivityPage(): ReactNode {
  const [filters, setFilters] = useFilters()
  const query = toActivityQuery(filters)
  const activity = useInfiniteQuery({
    queryKey: ['activity', query],
    queryFn: ({ pageParam }) =>
      api.listActivity({
        query: { ...query, limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) },
      }),
    initialPageParam: '',
    getNextPageParam: page => page.next,
  })
  const calls = activity.data?.pages.flatMap(page => page.items) ?? []
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = activity
  const fetchMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  const view = filters.view === 'table' ? 'table' : 'feed'
  const isFiltered = Object.keys(query).length > 0

  return (
    <Page
      title="Activity"
      name="Activity"
      about="All calls, newest first. The audit log is hash-chained: a changed or deleted row is detected."
      actions={
        <>
          <Segments
            label="Show as"
            options={VIEWS}
            value={view}
            onChange={id => setFilters({ view: id === 'feed' ? undefined : id })}
          />
          <ExportMenu query={query} />
        </>
      }
    >
      <ChainStatus />
      <ActivityFilters filters={filters} onChange={setFilters} />
      {activity.isPending ? (
        <Loading rows={10} />
      ) : activity.isError && calls.length === 0 ? (
        <Failure error={activity.error} onRetry={() => void activity.refetch()} />
      ) : calls.length === 0 ? (
        <Empty icon={Activity} title={isFiltered ? 'No matching calls' : 'No calls yet'}>
          {isFiltered ? (
            <a href="#/activity">Show all calls</a>
          ) : (
            'Every call by an agent is recorded here, including refused calls.'
          )}
        </Empty>
      ) : view === 'table' ? (
        <CallTable calls={calls} onEnd={fetchMore} />
      ) : (
        <CallFeed calls={calls} onEnd={fetchMore} />
      )}
    </Page>
  )
}
