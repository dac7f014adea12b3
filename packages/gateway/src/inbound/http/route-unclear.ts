import { handleLegacyPost, type LegacyDoor } from '../legacy/legacy-door.ts'
import { sendError } from '../wire/answer-http.ts'
import type { Inbound } from '../wire/inbound.ts'
import type { Classify } from './classify-inbound.ts'
import { refuseUnclear } from './refuse-unclear.ts'

interface Routes {
  readonly door: LegacyDoor
  readonly classify: Classify
}

/** Everything but what is plainly of one era. */
export function routeUnclear(
  inbound: Inbound,
  body: unknown,
  { door, classify }: Routes,
): void | Promise<void> {
  const { headers, res } = inbound
  const version = headers['mcp-protocol-version']
  const method = headers['mcp-method']
  const outcome = classify({
    httpMethod: 'POST',
    body,
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(method === undefined ? {} : { mcpMethodHeader: method }),
  })
  if (outcome.kind === 'legacy') return handleLegacyPost(inbound, body, door)
  if (outcome.kind === 'modern' && outcome.messageKind === 'notification')
    return void res.writeHead(202).end()
  sendError(res, { ...refuseUnclear(outcome), id: idOf(body) })
}

function idOf(body: unknown): string | number | null {
  const id = (body as { id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : null
}
