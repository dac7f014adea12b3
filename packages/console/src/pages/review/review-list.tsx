import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ReviewItem } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Check } from '../../parts/check.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { useMay } from '../../shell/me.tsx'

export function keyOf({ server, kind, name }: ReviewItem): string {
  return `${kind} ${server}:${name}`
}

interface Props {
  readonly items: readonly ReviewItem[]
  readonly open: string
  readonly onOpen: (item: ReviewItem) => void
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

export function ReviewList({ items, open, onOpen, chosen, onChoose }: Props): ReactNode {
  const mayChoose = useMay('operator')
  const choose = (key: string, isChosen: boolean): void => {
    const next = new Set(chosen)
    if (isChosen) next.add(key)
    else next.delete(key)
    onChoose(next)
  }
  return (
    <ul className="inbox review-list divided">
      {items.map(item => {
        const key = keyOf(item)
        return (
          <li key={key} className="review-item" data-open={key === open ? 'yes' : 'no'}>
            {mayChoose && (
              <Check
                aria-label={`Select ${item.name}`}
                isSelected={chosen.has(key)}
                onChange={isChosen => choose(key, isChosen)}
              />
            )}
            <button
              type="button"
              className="review-open"
              aria-current={key === open ? 'true' : undefined}
              onClick={() => onOpen(item)}
            >
              <span className="inbox-action mono">
                <span className="faint">
                  <Untrusted text={item.server} max={40} />:
                </span>
                <Untrusted text={item.name} max={80} />
              </span>
              <span className="inbox-foot">
                {item.isSuspicious && (
                  <Badge tone="bad">
                    <TriangleAlert size={12} aria-hidden="true" /> suspicious
                  </Badge>
                )}
                <Badge tone={item.state === 'changed' || item.notice !== undefined ? 'warn' : 'neutral'}>
                  {item.kind === 'tool' ? '' : `${item.kind}, `}
                  {item.notice ?? (item.state === 'pending' ? 'new' : item.state)}
                </Badge>
                <span className="grow" />
                <Ago at={item.since} />
              </span>
            </button>
          </li>
        )
      })}
    </ul>
  )
}
