import type { ReactNode } from 'react'
import type { Server } from '../../api/client.ts'

const PARTS = [
  ['overridden', 'overridden', 'var(--accent)'],
  ['declared', 'declared', 'var(--calm)'],
  ['inferred', 'inferred', 'var(--read)'],
  ['assumed', 'assumed', 'var(--line-strong)'],
] as const

/** Shows where the hints of a server's tools come from. */
export function CoverageBar({ coverage }: { readonly coverage: Server['coverage'] }): ReactNode {
  const total = PARTS.reduce((sum, [part]) => sum + coverage[part], 0)
  if (total === 0) return null
  const summary = PARTS.filter(([part]) => coverage[part] > 0)
    .map(([part, label]) => `${Math.round((coverage[part] / total) * 100)} % ${label}`)
    .join(', ')
  return (
    <span className="coverage" role="img" aria-label={`Hints: ${summary}`} title={`Hints: ${summary}`}>
      {PARTS.filter(([part]) => coverage[part] > 0).map(([part, , colour]) => (
        <span key={part} style={{ flexGrow: coverage[part], background: colour }} />
      ))}
    </span>
  )
}
