import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type Agent, api } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Card } from '../../parts/card.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { usePathParts } from '../../shell/use-path-parts.ts'
import { formatCount } from '../../words/format-count.ts'
import { AgentActions } from './agent-actions.tsx'
import { AgentStatus } from './agent-status.tsx'
import { formatPermissions } from './format-permissions.ts'
import { Reach } from './reach.tsx'
import './agents.css'

export function AgentPage(): ReactNode {
  const [, name = ''] = usePathParts()
  const agents = useQuery({ queryKey: ['agents'], queryFn: () => api.listAgents() })
  const agent = agents.data?.items.find(each => each.name === name)
  return (
    <Page
      name={name}
      back={{ to: '/agents', label: 'Agents' }}
      title={<Untrusted text={name} max={100} />}
      about={agent !== undefined && <AgentStatus status={agent.status} />}
      actions={agent !== undefined && <AgentActions agent={agent} />}
    >
      <QueryView query={agents}>
        {() =>
          agent === undefined ? (
            <p className="quiet">There is no token with this name.</p>
          ) : (
            <AgentFacts agent={agent} />
          )
        }
      </QueryView>
      {agent?.kind === 'agent' && <Reach name={name} />}
    </Page>
  )
}

function AgentFacts({ agent }: { readonly agent: Agent }): ReactNode {
  const {
    kind,
    role,
    servers,
    tools,
    sets,
    createdAt,
    expiresAt,
    lastUsedAt,
    revokedAt,
    source,
    rate,
    hint,
  } = agent
  return (
    <Card title="Scope">
      <dl className="facts">
        <dt>{kind === 'person' ? 'Role' : 'Permissions'}</dt>
        <dd>{kind === 'person' ? (role ?? '–') : formatPermissions(agent)}</dd>
        {kind === 'agent' && (
          <>
            <dt>Servers</dt>
            <dd className="mono">
              <Untrusted text={servers.join(', ') || 'none'} max={400} />
            </dd>
            {sets !== undefined && (
              <>
                <dt>Toolsets</dt>
                <dd className="mono">
                  <Untrusted text={sets.join(', ')} max={400} />
                </dd>
              </>
            )}
            <dt>Tools</dt>
            <dd className="mono">
              <Untrusted text={tools?.join(', ') ?? 'all'} max={400} />
            </dd>
          </>
        )}
        {rate !== undefined && (
          <>
            <dt>Rate</dt>
            <dd>
              {formatCount(rate.limit, 'call')} per {rate.windowMs / 1000} s
            </dd>
          </>
        )}
        {hint !== undefined && (
          <>
            <dt>Token</dt>
            <dd className="mono">
              <Untrusted text={hint} max={40} />
            </dd>
          </>
        )}
        <dt>Last used</dt>
        <dd>
          <Ago at={lastUsedAt} />
        </dd>
        {createdAt !== undefined && (
          <>
            <dt>Created</dt>
            <dd>
              <Ago at={createdAt} />
            </dd>
          </>
        )}
        <dt>Expires</dt>
        <dd>{expiresAt === undefined ? 'never' : <Ago at={expiresAt} />}</dd>
        {revokedAt !== undefined && (
          <>
            <dt>Revoked</dt>
            <dd>
              <Ago at={revokedAt} />
            </dd>
          </>
        )}
        <dt>Stored in</dt>
        <dd>{source === 'config' ? 'the config file' : 'the store'}</dd>
      </dl>
    </Card>
  )
}
