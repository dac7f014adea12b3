import { sendError } from './answer-http.ts'
import type { Classify } from './classify-inbound.ts'
import type { Inbound } from './inbound.ts'
import { handleLegacyPost, type LegacyDoor } from './legacy-door.ts'
import { refuseUnclear } from './refuse-unclear.ts'

interface Unclear extends Omit<LegacyDoor, 'surface'> {
  readonly inbound: Inbound
  readonly body: unknown
}

/** Everything but what is plainly modern. */
export function routeUnclear(
  { inbound, body, sessions, limits }: Unclear,
  classify: Classify,
): void | Promise<void> {
  const { headers, res, surface } = inbound
  const version = headers['mcp-protocol-version']
  const method = headers['mcp-method']
  const outcome = classify({
    httpMethod: 'POST',
    body,
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(method === undefined ? {} : { mcpMethodHeader: method }),
  })
  if (outcome.kind === 'legacy') return handleLegacyPost(inbound, body, { surface, sessions, limits })
  if (outcome.kind === 'modern' && outcome.messageKind === 'notification')
    return void res.writeHead(202).end()
  sendError(res, { ...refuseUnclear(outcome), id: idOf(body) })
}

function idOf(body: unknown): string | number | null {
  const id = (body as { id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
