import type { ReactNode } from 'react'
import type { ToolPage } from '../../api/client.ts'
import { Card } from '../../parts/card.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { pathOf } from '../../shell/paths.ts'

/** Lists the toolsets that offer a tool, with its name and its override there. */
export function ToolsetsCard({ sets }: Pick<ToolPage, 'sets'>): ReactNode {
  if (sets.length === 0) return null
  return (
    <Card title="Toolsets">
      <ul className="stack">
        {sets.map(({ set, name, override }) => (
          <li key={set}>
            <a href={`#${pathOf.toolset(set)}`}>
              <Untrusted text={set} max={80} />
            </a>{' '}
            as{' '}
            <span className="mono">
              <Untrusted text={name} max={100} />
            </span>
            {override !== undefined && (
              <p className="faint small">
                override <span className="mono">{override.fingerprint.slice(0, 12)}</span> by{' '}
                <Untrusted text={override.author} max={80} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
