import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { ToolName } from '../../parts/tool-name.tsx'
import { splitToolId } from '../../shell/paths.ts'
import { formatCount } from '../../words/format-count.ts'

const VARIANTS = ['read', 'write', 'destructive'] as const
const ABOUT = { read: 'only read data', write: 'change data', destructive: 'can destroy data' }

/** Shows which tools an agent can call, by variant. */
export function Reach({ name }: { readonly name: string }): ReactNode {
  const reach = useQuery({
    queryKey: ['agents', 'reach', name],
    queryFn: () => api.getReach({ params: { name } }),
  })
  return (
    <section className="stack" aria-labelledby="reach">
      <h2 id="reach">What can this agent do?</h2>
      <QueryView query={reach}>
        {data => (
          <>
            <div className="reach">
              {VARIANTS.map(variant => (
                <Card
                  key={variant}
                  title={`${variant} (${data[variant].length})`}
                  about={`Tools that ${ABOUT[variant]}`}
                  flush
                >
                  <ul className="reach-list">
                    {data[variant].length === 0 && <li className="faint">none</li>}
                    {data[variant].map(({ id, asks }) => {
                      const [server, tool] = splitToolId(id)
                      return (
                        <li key={id}>
                          <span className="grow">
                            <ToolName server={server} name={tool} />
                          </span>
                          {asks && <Badge tone="warn">needs approval</Badge>}
                        </li>
                      )
                    })}
                  </ul>
                </Card>
              ))}
            </div>
            {data.outOfReach + data.held > 0 && (
              <p className="quiet small">
                {formatCount(data.outOfReach, 'tool')} not available because a permission is missing;{' '}
                {data.held} waiting for review.
              </p>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}
