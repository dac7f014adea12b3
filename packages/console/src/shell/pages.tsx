import { CircleAlert, Compass } from 'lucide-react'
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react'
import { Route, Switch } from 'wouter'
import { Boundary } from '../parts/boundary.tsx'
import { Empty, Loading } from '../parts/state.tsx'
import { useHashPath } from './hash-location.ts'

/** Creates a page that has its own bundle and is loaded when it is first opened. */
const page = (load: () => Promise<Readonly<Record<string, ComponentType>>>, name: string) =>
  lazy(async () => {
    const found = (await load())[name]
    if (found === undefined) throw new Error(`no page ${name}`)
    return { default: found }
  })

const ROUTES = [
  ['/', page(() => import('../pages/overview/overview-page.tsx'), 'OverviewPage')],
  ['/approvals', page(() => import('../pages/approvals/approvals-page.tsx'), 'ApprovalsPage')],
  ['/approvals/:id', page(() => import('../pages/approvals/approvals-page.tsx'), 'ApprovalsPage')],
  ['/review', page(() => import('../pages/review/review-page.tsx'), 'ReviewPage')],
  ['/tools', page(() => import('../pages/tools/tools-page.tsx'), 'ToolsPage')],
  ['/tools/:server/:name', page(() => import('../pages/tool/tool-page.tsx'), 'ToolPage')],
  ['/toolsets', page(() => import('../pages/toolsets/toolsets-page.tsx'), 'ToolsetsPage')],
  ['/toolsets/:name', page(() => import('../pages/toolsets/toolset-page.tsx'), 'ToolsetPage')],
  ['/sessions', page(() => import('../pages/sessions/sessions-page.tsx'), 'SessionsPage')],
  ['/sessions/:id', page(() => import('../pages/sessions/session-page.tsx'), 'SessionPage')],
  ['/activity', page(() => import('../pages/activity/activity-page.tsx'), 'ActivityPage')],
  ['/activity/:request', page(() => import('../pages/activity/call-page.tsx'), 'CallPage')],
  ['/servers', page(() => import('../pages/servers/servers-page.tsx'), 'ServersPage')],
  ['/servers/:name', page(() => import('../pages/servers/server-page.tsx'), 'ServerPage')],
  ['/agents', page(() => import('../pages/agents/agents-page.tsx'), 'AgentsPage')],
  ['/agents/:name', page(() => import('../pages/agents/agent-page.tsx'), 'AgentPage')],
  ['/policies', page(() => import('../pages/policies/policies-page.tsx'), 'PoliciesPage')],
  ['/search', page(() => import('../pages/search/search-page.tsx'), 'SearchPage')],
  ['/welcome', page(() => import('../pages/welcome/welcome-page.tsx'), 'WelcomePage')],
] as const

export function Pages(): ReactNode {
  const [path] = useHashPath()
  return (
    <Boundary key={path} fallback={<Broken />}>
      <Suspense fallback={<Loading />}>
        <Switch>
          {ROUTES.map(([path, PageOfPath]) => (
            <Route key={path} path={path} component={PageOfPath} />
          ))}
          <Route>
            <Empty icon={Compass} title="Page not found">
              <a href="#/">Back to the overview</a>
            </Empty>
          </Route>
        </Switch>
      </Suspense>
    </Boundary>
  )
}

function Broken(): ReactNode {
  return (
    <Empty icon={CircleAlert} title="This page could not be shown">
      An unexpected error occurred. Reload the page. If it fails again, check that the console and the gateway
      have the same version.
    </Empty>
  )
}
