import type { ReactNode } from 'react'
import type { ReviewItem } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Check } from '../../parts/check.tsx'
import { Can } from '../../shell/me.tsx'
import { keyOf } from './review-list.tsx'
import { useReview } from './use-review.ts'

interface Props {
  readonly items: readonly ReviewItem[]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

export function BulkBar({ items, chosen, onChoose }: Props): ReactNode {
  const review = useReview(() => onChoose(new Set()))
  const picked = items.filter(item => chosen.has(keyOf(item)))
  const isAll = picked.length === items.length
  return (
    <Can needs="operator">
      <div className="bulk">
        <Check
          isSelected={isAll}
          isIndeterminate={picked.length > 0 && !isAll}
          onChange={all => onChoose(new Set(all ? items.map(keyOf) : []))}
        >
          {picked.length === 0 ? `All ${items.length}` : `${picked.length} selected`}
        </Check>
        <span className="grow" />
        {picked.length > 0 && (
          <>
            <Button
              size="small"
              kind="danger"
              isDisabled={review.isPending}
              onPress={() => review.mutate({ items: picked, verdict: 'reject' })}
            >
              Reject
            </Button>
            <Button
              size="small"
              kind="primary"
              isDisabled={review.isPending}
              onPress={() => review.mutate({ items: picked, verdict: 'approve' })}
            >
              Approve
            </Button>
          </>
        )}
      </div>
    </Can>
  )
}
