import { useQuery } from '@tanstack/react-query'
import { Layers } from 'lucide-react'
import type { ReactNode } from 'react'
import { api, type Toolset } from '../../api/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { Can } from '../../shell/me.tsx'
import { pathOf } from '../../shell/paths.ts'
import { AddToolset } from './add-toolset.tsx'

export function ToolsetsPage(): ReactNode {
  const sets = useQuery({ queryKey: ['toolsets'], queryFn: () => api.listToolsets() })
  return (
    <Page
      title="Toolsets"
      name="Toolsets"
      about="Endpoints with chosen tools of several servers, as their agents see them."
      actions={
        <Can needs="admin">
          <AddToolset />
        </Can>
      }
    >
      <QueryView query={sets}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={Layers} title="No toolsets yet">
              A toolset gives an agent exactly the tools that it needs, under names and with arguments that
              you choose.
            </Empty>
          ) : (
            <Card flush>
              <ToolsetTable sets={items} />
            </Card>
          )
        }
      </QueryView>
    </Page>
  )
}

function ToolsetTable({ sets }: { readonly sets: readonly Toolset[] }): ReactNode {
  return (
    <div className="table-scroll">
      <table className="table">
        <thead>
          <tr>
            <th>Name</th>
            <th>Endpoint</th>
            <th>Surface</th>
            <th>Tools</th>
            <th>Problems</th>
          </tr>
        </thead>
        <tbody>
          {sets.map(({ name, path, surface, tools, problems }) => (
            <tr key={name}>
              <td>
                <a href={`#${pathOf.toolset(name)}`} className="strong">
                  <Untrusted text={name} max={80} />
                </a>
              </td>
              <td className="mono quiet">{path}</td>
              <td className="quiet">{surface}</td>
              <td>{tools}</td>
              <td>{problems.length === 0 ? '–' : <Badge tone="warn">{problems.length}</Badge>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
