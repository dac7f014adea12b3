import { type ReactNode, useEffect, useState } from 'react'
import { Choice } from '../../parts/choice.tsx'
import { SearchBox } from '../../parts/search-box.tsx'
import type { Filters } from '../../shell/use-filters.ts'
import { formatCount } from '../../words/format-count.ts'
import { HINT_ORDER, labelOf } from '../../words/hint-words.ts'

interface Props {
  readonly filters: Filters
  readonly onChange: (changes: Readonly<Record<string, string | undefined>>) => void
  readonly servers: readonly string[]
  readonly total: number | undefined
}

const any = { id: 'any', label: 'any' }
const plain = (ids: readonly string[]) => [any, ...ids.map(id => ({ id, label: id }))]
const STATES = plain(['approved', 'pending', 'changed', 'rejected', 'disabled'])
const VARIANTS = plain(['read', 'write', 'destructive'])
const SOURCES = [...plain(['declared', 'inferred', 'override']), { id: 'default', label: 'assumed' }]
const HINTS = [
  any,
  ...HINT_ORDER.flatMap(hint => [
    { id: `${hint}=true`, label: labelOf(hint) },
    { id: `${hint}=false`, label: `not ${labelOf(hint)}` },
  ]),
]

export function ToolFilters({ filters, onChange, servers, total }: Props): ReactNode {
  const [text, setText] = useState(filters.query ?? '')
  useEffect(() => {
    const timer = setTimeout(() => {
      if (text !== (filters.query ?? '')) onChange({ query: text })
    }, 200)
    return () => clearTimeout(timer)
  }, [text, filters.query, onChange])
  const choose = (name: string) => (id: string) => onChange({ [name]: id === 'any' ? undefined : id })
  return (
    <div className="filters">
      <SearchBox label="Find tools" placeholder="Name or description" value={text} onChange={setText} />
      <Choice
        label="Server"
        options={plain(servers)}
        value={filters.server ?? 'any'}
        onChange={choose('server')}
      />
      <Choice
        label="Variant"
        options={VARIANTS}
        value={filters.variant ?? 'any'}
        onChange={choose('variant')}
      />
      <Choice label="State" options={STATES} value={filters.state ?? 'any'} onChange={choose('state')} />
      <Choice label="Hint" options={HINTS} value={filters.hint ?? 'any'} onChange={choose('hint')} />
      <Choice label="Source" options={SOURCES} value={filters.source ?? 'any'} onChange={choose('source')} />
      {total !== undefined && <span className="filters-total">{formatCount(total, 'tool')}</span>}
    </div>
  )
}
