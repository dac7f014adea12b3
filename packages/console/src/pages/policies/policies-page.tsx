import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, type Policies } from '../../api/client.ts'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Segments } from '../../parts/segments.tsx'
import { useFilters } from '../../shell/use-filters.ts'
import { GuardrailsCard } from './guardrails-card.tsx'
import { PolicyEditor } from './policy-editor.tsx'
import { RulesCard } from './rules-card.tsx'
import { SuggestionsCard } from './suggestions-card.tsx'
import { TryCall } from './try-call.tsx'
import './policies.css'

const VIEWS = [
  { id: 'rules', label: 'Rules' },
  { id: 'edit', label: 'Edit' },
  { id: 'try', label: 'Try a call' },
  { id: 'fewer', label: 'Fewer questions' },
] as const

type View = (typeof VIEWS)[number]['id']

export function PoliciesPage(): ReactNode {
  const [filters, setFilters] = useFilters()
  const view: View = VIEWS.find(({ id }) => id === filters.view)?.id ?? 'rules'
  const policies = useQuery({ queryKey: ['policies'], queryFn: () => api.getPolicies() })
  return (
    <Page
      title="Policies"
      name="Policies"
      about="Rules that allow, ask about or deny calls. Deny takes precedence over ask, and ask over allow."
      actions={
        <Segments
          label="Show"
          options={VIEWS}
          value={view}
          onChange={id => setFilters({ view: id === 'rules' ? undefined : id })}
        />
      }
    >
      <QueryView query={policies} rows={6}>
        {data => (
          <PolicyView view={view} policies={data} onEdit={file => setFilters({ view: 'edit', file })} />
        )}
      </QueryView>
    </Page>
  )
}

interface Props {
  readonly view: View
  readonly policies: Policies
  readonly onEdit: (file: string) => void
}

function PolicyView({ view, policies, onEdit }: Props): ReactNode {
  if (view === 'edit') return <PolicyEditor policies={policies} />
  if (view === 'try') return <TryCall />
  if (view === 'fewer') return <SuggestionsCard />
  return (
    <>
      <RulesCard policies={policies} onEdit={onEdit} />
      <GuardrailsCard guardrails={policies.guardrails} />
    </>
  )
}
