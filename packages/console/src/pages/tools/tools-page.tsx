import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Wrench } from 'lucide-react'
import { type ReactNode, useCallback, useState } from 'react'
import { api, type Tool } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { HintLegend } from '../../parts/hint-legend.tsx'
import { Page } from '../../parts/page.tsx'
import { Empty, Failure, Loading } from '../../parts/state.tsx'
import { Can } from '../../shell/me.tsx'
import { useFilters } from '../../shell/use-filters.ts'
import { BulkOverride } from './bulk-override.tsx'
import { ToolFilters } from './tool-filters.tsx'
import { ToolMatrix } from './tool-matrix.tsx'
import { toQuery } from './tool-query.ts'
import './tools.css'

const PAGE = 200

export function ToolsPage(): ReactNode {
  const [filters, setFilters] = useFilters()
  const query = toQuery(filters)
  const tools = useInfiniteQuery({
    queryKey: ['tools', query],
    queryFn: ({ pageParam }) =>
      api.listTools({ query: { ...query, limit: PAGE, ...(pageParam === '' ? {} : { cursor: pageParam }) } }),
    initialPageParam: '',
    getNextPageParam: page => page.next,
  })
  const servers = useQuery({ queryKey: ['servers'], queryFn: () => api.listServers() })
  const items = tools.data?.pages.flatMap(page => page.items) ?? []
  const total = tools.data?.pages[0]?.total
  const [chosen, setChosen] = useState<ReadonlyMap<string, Tool>>(new Map())
  const [isSetting, setSetting] = useState(false)
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = tools
  const fetchMore = useCallback(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])

  return (
    <Page
      title="Tools"
      name="Tools"
      about="The hints of every tool. The colour shows the value of a hint, the symbol its source."
      actions={<HintLegend />}
    >
      <ToolFilters
        filters={filters}
        onChange={setFilters}
        servers={servers.data?.items.map(({ name }) => name) ?? []}
        total={total}
      />
      {chosen.size > 0 && (
        <Can needs="operator">
          <div className="chosen" role="status">
            <span className="strong">{chosen.size} selected</span>
            <Button size="small" kind="primary" onPress={() => setSetting(true)}>
              Set hints…
            </Button>
            <Button size="small" kind="ghost" onPress={() => setChosen(new Map())}>
              Clear
            </Button>
          </div>
        </Can>
      )}
      {tools.isPending ? (
        <Loading rows={10} />
      ) : tools.isError && items.length === 0 ? (
        <Failure error={tools.error} onRetry={() => void tools.refetch()} />
      ) : items.length === 0 ? (
        <Empty icon={Wrench} title={Object.keys(filters).length > 0 ? 'No matching tools' : 'No tools yet'}>
          {Object.keys(filters).length > 0 ? (
            <a href="#/tools">Show all tools</a>
          ) : (
            <>
              Add a server to see its tools. <a href="#/servers">Add a server</a>
            </>
          )}
        </Empty>
      ) : (
        <ToolMatrix
          tools={items}
          total={total ?? items.length}
          sort={filters.sort ?? 'id'}
          onSort={sort => setFilters({ sort })}
          chosen={chosen}
          onChoose={setChosen}
          onEnd={fetchMore}
        />
      )}
      <BulkOverride
        tools={[...chosen.values()]}
        isOpen={isSetting}
        onClose={() => setSetting(false)}
        onDone={() => setChosen(new Map())}
      />
    </Page>
  )
}
