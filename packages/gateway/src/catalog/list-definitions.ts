import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'

const MAX_PAGES = 100
const MAX_ITEMS = 10_000
const LIST_TIMEOUT_MS = 30_000

/** What can be listed, and where it stands in the answer. */
export interface Listed {
  readonly method: string
  readonly member: string
  readonly capability: string
}

export const TOOLS: Listed = { method: 'tools/list', member: 'tools', capability: 'tools' }

/** All pages. Undefined when the server did not answer; a server that has none of it answers with none. */
export async function listDefinitions(
  server: UpstreamServer,
  { method, member, capability }: Listed,
): Promise<readonly unknown[] | undefined> {
  const found: unknown[] = []
  let cursor: unknown
  for (let page = 0; page < MAX_PAGES && found.length < MAX_ITEMS; page++) {
    const { reply } = server.send({
      method,
      ...(cursor === undefined ? {} : { params: { cursor } }),
      envelope: server.ownEnvelope,
      timeoutMs: Math.min(LIST_TIMEOUT_MS, server.config.timeoutMs),
      session: '',
    })
    const answer = await reply
    if (answer.kind !== 'answer') return undefined
    const { result } = answer.message
    if (result === undefined)
      return page === 0 && server.handshake?.capabilities[capability] === undefined ? [] : undefined
    const items = result[member]
    if (Array.isArray(items)) found.push(...items)
    cursor = result.nextCursor
    if (typeof cursor !== 'string') break
  }
  return found.slice(0, MAX_ITEMS)
}

/** Something that has a name. */
export function isNamed(value: unknown): value is Json & { readonly name: string } {
  return isJsonObject(value) && typeof value.name === 'string' && value.name !== ''
}
