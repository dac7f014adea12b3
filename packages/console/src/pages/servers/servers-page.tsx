import { useQuery } from '@tanstack/react-query'
import { Import, Plus, Server as ServerIcon } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { api, type Server } from '../../api/client.ts'
import { Button } from '../../parts/button.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Empty } from '../../parts/state.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { HealthBadge } from '../../parts/word-badges.tsx'
import { Can } from '../../shell/me.tsx'
import { pathOf } from '../../shell/paths.ts'
import { formatCount } from '../../words/format-count.ts'
import { AddServer } from './add-server.tsx'
import { CoverageBar } from './coverage-bar.tsx'
import { ImportServers } from './import-servers.tsx'
import { ProblemsCard } from './problems-card.tsx'
import './servers.css'

export function ServersPage(): ReactNode {
  const [open, setOpen] = useState<'add' | 'import'>()
  const servers = useQuery({ queryKey: ['servers'], queryFn: () => api.listServers() })
  const actions = (
    <Can needs="admin">
      <Button icon={Import} onPress={() => setOpen('import')}>
        Import…
      </Button>
      <Button kind="primary" icon={Plus} onPress={() => setOpen('add')}>
        Add server
      </Button>
    </Can>
  )
  return (
    <Page
      title="Servers"
      name="Servers"
      about="The MCP servers behind the gateway and their health."
      actions={actions}
    >
      <ProblemsCard />
      <QueryView query={servers}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty icon={ServerIcon} title="No servers yet" action={<div className="row">{actions}</div>}>
              Add a server, or import the servers that clients on this machine already use.
            </Empty>
          ) : (
            <ul className="server-list divided">
              {items.map(server => (
                <ServerRow key={server.name} server={server} />
              ))}
            </ul>
          )
        }
      </QueryView>
      {open === 'add' && <AddServer onClose={() => setOpen(undefined)} />}
      {open === 'import' && <ImportServers onClose={() => setOpen(undefined)} />}
    </Page>
  )
}

function ServerRow({ server }: { readonly server: Server }): ReactNode {
  const { name, state, era, transport, trust, tools, held, lastError, coverage } = server
  return (
    <li>
      <a className="server-row" href={`#${pathOf.server(name)}`}>
        <div className="server-name">
          <p className="strong">
            <Untrusted text={name} max={80} />
          </p>
          <p className="faint small">
            {transport}
            {era !== undefined && ` · ${era}`} · {trust}
          </p>
        </div>
        <div className="server-tools">
          <p>
            {formatCount(tools, 'tool')}
            {held > 0 && <span className="server-held"> {held} in review</span>}
          </p>
          <CoverageBar coverage={coverage} />
        </div>
        <HealthBadge state={state} />
        {lastError !== undefined && state !== 'ready' && (
          <p className="server-error small">
            <Untrusted text={lastError} max={300} />
          </p>
        )}
      </a>
    </li>
  )
}
