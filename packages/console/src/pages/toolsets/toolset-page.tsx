import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, type ToolsetPage as Shown } from '../../api/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { pathOf, splitToolId } from '../../shell/paths.ts'
import { usePathParts } from '../../shell/use-path-parts.ts'
import { ToolsetConfig } from './toolset-config.tsx'

export function ToolsetPage(): ReactNode {
  const [, name = ''] = usePathParts()
  const set = useQuery({
    queryKey: ['toolsets', name],
    queryFn: () => api.getToolset({ params: { name } }),
  })
  return (
    <Page
      name={name}
      back={{ to: '/toolsets', label: 'Toolsets' }}
      title={<Untrusted text={name} max={100} />}
      about={set.data !== undefined && <span className="mono">{set.data.path}</span>}
    >
      <QueryView query={set}>
        {shown => (
          <>
            {shown.problems.length > 0 && <Problems set={shown} />}
            <Card title="Tools" about="What agents of this set see, next to the reviewed definition." flush>
              <ToolTable set={shown} />
            </Card>
            <ToolsetConfig key={shown.etag} set={shown} />
          </>
        )}
      </QueryView>
    </Page>
  )
}

function Problems({ set }: { readonly set: Shown }): ReactNode {
  return (
    <Card title="Problems">
      <ul className="stack">
        {set.problems.map(({ tools, state, why }) => (
          <li key={`${tools.join(' ')} ${why}`}>
            <Badge tone={state === 'held' ? 'warn' : 'info'}>
              {state === 'held' ? 'not offered' : 'check'}
            </Badge>{' '}
            <Untrusted text={tools.join(', ')} max={300} />: <Untrusted text={why} max={400} />
          </li>
        ))}
      </ul>
    </Card>
  )
}

function ToolTable({ set }: { readonly set: Shown }): ReactNode {
  return (
    <div className="table-scroll">
      <table className="table">
        <thead>
          <tr>
            <th>Name in the set</th>
            <th>Tool</th>
            <th>Shown</th>
            <th>Reviewed</th>
            <th>Override</th>
          </tr>
        </thead>
        <tbody>
          {set.listed.map(tool => (
            <ToolRow key={tool.name} tool={tool} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

function ToolRow({ tool }: { readonly tool: Shown['listed'][number] }): ReactNode {
  const { name, id, title, description, pinned, override } = tool
  return (
    <tr>
      <td className="mono strong">
        <Untrusted text={name} max={100} />
      </td>
      <td>
        <a href={`#${pathOf.tool(...splitToolId(id))}`}>
          <Untrusted text={id} max={100} />
        </a>
      </td>
      <td>
        <Texts title={title} description={description} />
      </td>
      <td className="quiet">
        <Texts title={pinned.title} description={pinned.description} />
        <p className="faint small mono">{pinned.fingerprint.slice(0, 12)}</p>
      </td>
      <td className="quiet">{override === undefined ? '–' : <Override override={override} />}</td>
    </tr>
  )
}

function Texts({ title, description }: { readonly title: string; readonly description: string }): ReactNode {
  return (
    <>
      <Untrusted text={title} max={100} />
      <p className="small">
        <Untrusted text={description} max={300} />
      </p>
    </>
  )
}

type OverrideOfTool = NonNullable<Shown['listed'][number]['override']>

function Override({ override }: { readonly override: OverrideOfTool }): ReactNode {
  const { fingerprint, author, arguments: fixed, hidden, keep, query } = override
  const parts = [
    ...(fixed === undefined ? [] : [`fixed ${JSON.stringify(fixed)}`]),
    ...(hidden === undefined ? [] : [`hidden ${hidden.join(', ')}`]),
    ...(keep === undefined ? [] : [`keeps ${keep.join(', ')}`]),
    ...(query === undefined ? [] : [`query ${query}`]),
  ]
  return (
    <>
      <span className="mono small">{fingerprint.slice(0, 12)}</span> by <Untrusted text={author} max={80} />
      {parts.map(part => (
        <p key={part} className="small mono">
          <Untrusted text={part} max={200} />
        </p>
      ))}
    </>
  )
}
