import type { ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import type { Inbound } from '../doors/inbound.ts'
import { EventStream } from '../doors/sse.ts'
import type { EventHub } from '../events/event-hub.ts'

export interface AdminDeps {
  readonly hub: EventHub
  /** Made when first asked for: most gateways are never asked. */
  readonly metrics: () => Promise<Registry>
  readonly streamBytes: number
  /** A response stays open from now on; false when too many do. */
  becomeStream(inbound: Omit<Inbound, 'surface'>): boolean
}

const EVENTS = '/api/v1/events'
const METRICS = '/metrics'

/** Whether a path belongs to operators. */
export function isAdminPath(path: string): boolean {
  return path === METRICS || path.startsWith('/api/')
}

/** The paths for people. A token of an agent opens none of them. */
export async function handleAdmin(
  inbound: Omit<Inbound, 'surface'>,
  path: string,
  deps: AdminDeps,
): Promise<void> {
  const { req, res, principal } = inbound
  if (principal.kind !== 'person')
    return problem(res, 403, 'This is for people; the token is one of an agent.')
  if (path !== EVENTS && path !== METRICS) return problem(res, 404, 'There is nothing at this path.')
  if (req.method !== 'GET') return problem(res, 405, 'This can only be read: use GET.')
  if (path === METRICS) {
    const metrics = await deps.metrics()
    res.writeHead(200, { 'content-type': metrics.contentType }).end(await metrics.metrics())
    return
  }
  if (!deps.becomeStream(inbound)) return problem(res, 503, 'There are too many streams; see limits.streams.')
  streamEvents(inbound, deps)
}

function streamEvents({ req, res }: Omit<Inbound, 'surface'>, { hub, streamBytes }: AdminDeps): void {
  const stream = new EventStream(res, streamBytes)
  const lastId = Number(req.headers['last-event-id'] ?? Number.NaN)
  const stop = hub.listen(
    event => stream.send(JSON.stringify(event), String(event.id)),
    Number.isSafeInteger(lastId) ? lastId : undefined,
  )
  res.once('close', stop)
}

/** RFC 9457. */
function problem(res: ServerResponse, status: number, detail: string): void {
  const body = JSON.stringify({ type: 'about:blank', status, detail })
  res.writeHead(status, { 'content-type': 'application/problem+json' }).end(body)
}
