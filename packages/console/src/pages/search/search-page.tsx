import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { SearchX, Sparkles } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../../api/client.ts'
import { Check } from '../../parts/check.tsx'
import { Choice } from '../../parts/choice.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { useFilters } from '../../shell/use-filters.ts'
import { Hit } from './hit.tsx'
import '../tools/tools.css'
import './search.css'

const ALL_PERMISSIONS = { id: 'everything', label: 'an agent with all permissions' }

export function SearchPage(): ReactNode {
  const [filters, setFilters] = useFilters()
  const [text, setText] = useState(filters.query ?? '')
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text !== (filters.query ?? '')) setFilters({ query: text })
    }, 150)
    return () => clearTimeout(timer)
  }, [text, filters.query, setFilters])
  const agents = useQuery({ queryKey: ['agents'], queryFn: () => api.listAgents() })
  const names =
    agents.data?.items
      .filter(({ kind }) => kind === 'agent')
      .map(({ name }) => ({ id: name, label: name })) ?? []
  return (
    <Page
      title="Search"
      name="Search"
      about="The tools that retrieve_tools returns to an agent, and how each score is computed."
    >
      <div className="filters">
        <SearchBox
          label="Search as an agent"
          placeholder="send a message to a customer"
          value={text}
          onChange={setText}
        />
        <Choice
          label="As"
          options={[ALL_PERMISSIONS, ...names]}
          value={filters.as ?? ALL_PERMISSIONS.id}
          onChange={id => setFilters({ as: id === ALL_PERMISSIONS.id ? undefined : id })}
        />
        <Check
          isSelected={filters.readOnly === 'true'}
          onChange={isOn => setFilters({ readOnly: isOn ? 'true' : undefined })}
        >
          read-only
        </Check>
        <Check
          isSelected={filters.safe === 'true'}
          onChange={isOn => setFilters({ safe: isOn ? 'true' : undefined })}
        >
          exclude destructive
        </Check>
      </div>
      {(filters.query ?? '').trim() === '' ? (
        <Empty icon={Sparkles} title="Enter a search">
          Describe a task to see which tools an agent would find for it, and why.
        </Empty>
      ) : (
        <Hits
          query={filters.query ?? ''}
          as={filters.as}
          isReadOnly={filters.readOnly === 'true'}
          isSafe={filters.safe === 'true'}
        />
      )}
    </Page>
  )
}

interface Props {
  readonly query: string
  readonly as: string | undefined
  readonly isReadOnly: boolean
  readonly isSafe: boolean
}

function Hits({ query, as, isReadOnly, isSafe }: Props): ReactNode {
  const request = {
    query,
    limit: 20,
    explain: true,
    ...(as === undefined ? {} : { as }),
    ...(isReadOnly ? { readOnly: true } : {}),
    ...(isSafe ? { excludeDestructive: true } : {}),
  }
  const search = useQuery({
    queryKey: ['search', request],
    queryFn: () => api.searchTools({ query: request }),
    placeholderData: keepPreviousData,
  })
  return (
    <QueryView query={search}>
      {({ tools, total, hidden, hint }) => (
        <div className="stack">
          <p className="quiet small" role="status">
            {total} found
            {hidden.filtered > 0 && `, ${hidden.filtered} hidden by the filters`}
            {hidden.quarantined > 0 && `, ${hidden.quarantined} waiting for review`}
            {hint !== undefined && (
              <>
                {' · '}
                <Untrusted text={hint} max={300} />
              </>
            )}
          </p>
          {tools.length === 0 ? (
            <Empty icon={SearchX} title="No matching tools">
              Try other words or another agent. Tools that the agent cannot call are not shown.
            </Empty>
          ) : (
            <ol className="hits">
              {tools.map(tool => (
                <Hit key={tool.id} tool={tool} best={tools[0]?.score ?? 1} />
              ))}
            </ol>
          )}
        </div>
      )}
    </QueryView>
  )
}
