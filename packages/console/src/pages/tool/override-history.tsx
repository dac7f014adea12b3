import type { ReactNode } from 'react'
import type { ToolPage } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Card } from '../../parts/card.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { HINT_ORDER, labelOf } from '../../words/hint-words.ts'

type Overrides = ToolPage['overrides']

export function OverrideHistory({ overrides }: { readonly overrides: Overrides }): ReactNode {
  if (overrides.length === 0) return null
  return (
    <Card title="Overrides" about="Hints set by operators" flush>
      <ol className="history divided">
        {overrides.map(({ hints, by, at }) => (
          <li key={at}>
            <p>{describeHints(hints)}</p>
            <p className="quiet small">
              by <Untrusted text={by} max={80} /> <Ago at={at} />
            </p>
          </li>
        ))}
      </ol>
    </Card>
  )
}

function describeHints(hints: Overrides[number]['hints']): string {
  const set = HINT_ORDER.filter(hint => hints?.[hint] !== undefined)
  if (set.length === 0) return 'overrides removed'
  return set.map(hint => `${hints?.[hint] === true ? '' : 'not '}${labelOf(hint)}`).join(', ')
}
