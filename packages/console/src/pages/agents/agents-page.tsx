import { useQuery } from '@tanstack/react-query'
import { Bot, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { type Agent, api, type NewAgent } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { Can } from '../../shell/me.tsx'
import { pathOf } from '../../shell/paths.ts'
import { AgentStatus } from './agent-status.tsx'
import { CreateAgent } from './create-agent.tsx'
import { formatPermissions } from './format-permissions.ts'
import { NewTokenDialog } from './new-token-dialog.tsx'

export function AgentsPage(): ReactNode {
  const [isCreating, setCreating] = useState(false)
  const [newToken, setNewToken] = useState<NewAgent>()
  const agents = useQuery({ queryKey: ['agents'], queryFn: () => api.listAgents() })
  return (
    <Page
      title="Agents"
      name="Agents"
      about="Tokens for agents and people, with their permissions, servers and last use."
      actions={
        <Can needs="admin">
          <Button kind="primary" icon={Plus} onPress={() => setCreating(true)}>
            New token
          </Button>
        </Can>
      }
    >
      <QueryView query={agents}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Bot} title="No tokens yet">
              An agent needs a token to use the gateway. The token determines which servers and tools the
              agent can use.
            </Empty>
          ) : (
            <Card flush>
              <AgentTable agents={items} />
            </Card>
          )
        }
      </QueryView>
      {isCreating && (
        <CreateAgent
          onClose={() => setCreating(false)}
          onCreated={token => {
            setCreating(false)
            setNewToken(token)
          }}
        />
      )}
      {newToken !== undefined && <NewTokenDialog token={newToken} onClose={() => setNewToken(undefined)} />}
    </Page>
  )
}

function AgentTable({ agents }: { readonly agents: readonly Agent[] }): ReactNode {
  return (
    <div className="table-scroll">
      <table className="table">
        <thead>
          <tr>
            <th>Name</th>
            <th>Permissions</th>
            <th>Servers</th>
            <th>Last used</th>
            <th>Expires</th>
            <th>Status</th>
          </tr>
        </thead>
        <tbody>
          {agents.map(agent => (
            <tr key={`${agent.kind} ${agent.name}`}>
              <td>
                <a href={`#${pathOf.agent(agent.name)}`} className="strong">
                  <Untrusted text={agent.name} max={80} />
                </a>{' '}
                {agent.kind === 'person' && <Badge tone="info">{agent.role ?? 'person'}</Badge>}
                {agent.hint !== undefined && (
                  <p className="faint small mono">
                    <Untrusted text={agent.hint} max={30} />
                  </p>
                )}
              </td>
              <td>
                {agent.kind === 'person' ? (
                  <span className="faint">console access</span>
                ) : (
                  formatPermissions(agent)
                )}
              </td>
              <td className="quiet">
                <Untrusted text={agent.servers.length === 0 ? '–' : agent.servers.join(', ')} max={80} />
              </td>
              <td className="quiet">
                <Ago at={agent.lastUsedAt} />
              </td>
              <td className="quiet">
                {agent.expiresAt === undefined ? 'never' : <Ago at={agent.expiresAt} />}
              </td>
              <td>
                <AgentStatus status={agent.status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
