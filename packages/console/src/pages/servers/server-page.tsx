import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { Card } from '../../parts/card.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { HealthBadge } from '../../parts/word-badges.tsx'
import { usePathParts } from '../../shell/use-path-parts.ts'
import { ServerActions } from './server-actions.tsx'
import { ServerConfig } from './server-config.tsx'
import { ServerFacts } from './server-facts.tsx'
import './servers.css'
import '../tool/tool.css'

export function ServerPage(): ReactNode {
  const [, name = ''] = usePathParts()
  const server = useQuery({
    queryKey: ['servers', 'one', name],
    queryFn: () => api.getServer({ params: { name } }),
  })
  return (
    <Page
      name={name}
      back={{ to: '/servers', label: 'Servers' }}
      title={<Untrusted text={name} max={100} />}
      about={server.data !== undefined && <HealthBadge state={server.data.state} />}
      actions={server.data !== undefined && <ServerActions server={server.data} />}
    >
      <QueryView query={server} rows={8}>
        {data => (
          <>
            {data.lastError !== undefined && data.state !== 'ready' && (
              <p className="warning" role="alert">
                <Untrusted text={data.lastError} lines max={1000} />
              </p>
            )}
            <div className="tool-columns">
              <div className="stack-wide">
                <Card title="Standard error" about="The last lines of output" flush>
                  {data.stderr.length === 0 ? (
                    <p className="faint tool-none">No output.</p>
                  ) : (
                    <pre className="stderr">
                      <Untrusted text={data.stderr.join('\n')} lines max={20_000} />
                    </pre>
                  )}
                </Card>
                <ServerConfig key={data.etag} server={data} />
              </div>
              <ServerFacts server={data} />
            </div>
          </>
        )}
      </QueryView>
    </Page>
  )
}
