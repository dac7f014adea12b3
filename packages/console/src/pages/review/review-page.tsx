import { useQuery } from '@tanstack/react-query'
import { ClipboardCheck } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api, type ReviewItem } from '../../api/client.ts'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Segments } from '../../parts/segments.tsx'
import { Empty } from '../../parts/state.tsx'
import { useFilters } from '../../shell/use-filters.ts'
import { BulkBar } from './bulk-bar.tsx'
import { ReviewDetail } from './review-detail.tsx'
import { keyOf, ReviewList } from './review-list.tsx'
import '../approvals/approvals.css'
import './review.css'

type View = 'waiting' | 'rejected' | 'disabled'

const VIEWS = [
  { id: 'waiting', label: 'Waiting' },
  { id: 'rejected', label: 'Rejected' },
  { id: 'disabled', label: 'Disabled' },
] as const

export function ReviewPage(): ReactNode {
  const [view, setView] = useState<View>('waiting')
  const review = useQuery({
    queryKey: ['review', view],
    queryFn: () => api.listReview({ query: { limit: 500, ...(view === 'waiting' ? {} : { state: view }) } }),
  })
  return (
    <Page
      title="Review"
      name="Review"
      about="New and changed definitions. Each is hidden from agents until an operator approves that exact version."
      actions={<Segments label="Show" options={VIEWS} value={view} onChange={setView} />}
    >
      <QueryView query={review}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={ClipboardCheck} title={view === 'waiting' ? 'Nothing to review' : 'Nothing here'}>
              {view === 'waiting' && 'New and changed tools, prompts and instructions appear here.'}
            </Empty>
          ) : (
            <ReviewInbox key={view} items={items} />
          )
        }
      </QueryView>
    </Page>
  )
}

function ReviewInbox({ items }: { readonly items: readonly ReviewItem[] }): ReactNode {
  const [{ item: wanted }, setFilters] = useFilters()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const open = items.find(item => keyOf(item) === wanted) ?? items[0]
  if (open === undefined) return null
  return (
    <div className="desk">
      <div className="stack">
        <BulkBar items={items} chosen={chosen} onChoose={setChosen} />
        <ReviewList
          items={items}
          open={keyOf(open)}
          onOpen={item => setFilters({ item: keyOf(item) })}
          chosen={chosen}
          onChoose={setChosen}
        />
      </div>
      <ReviewDetail key={`${keyOf(open)} ${open.fingerprint}`} item={open} />
    </div>
  )
}
