import { isJsonObject, type Json } from '../protocol/messages.ts'
import { isText, writeJson } from '../protocol/parse-json.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { Connection } from '../upstream/connection.ts'
import type { UpstreamRequest } from '../upstream/upstream-request.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { mapPolitely } from './map-politely.ts'

const MAX_PAGES = 100
const MAX_ITEMS = 10_000
const LIST_TIMEOUT_MS = 30_000
/** Of one definition, as JSON. Nobody reviews more, and it is kept, compared and searched again and again. */
const MAX_LENGTH = 256 * 1024
/** Of all of them. */
const MAX_BYTES = 16 * 1024 * 1024

/** What can be listed, and where it stands in the answer. */
export interface Listed {
  readonly method: string
  readonly member: string
  readonly capability: string
}

export const TOOLS: Listed = { method: 'tools/list', member: 'tools', capability: 'tools' }

/** All pages. Undefined when the server did not answer; a server that has none of it answers with none. */
export function listDefinitions(
  server: UpstreamServer,
  listed: Listed,
): Promise<readonly unknown[] | undefined> {
  const ask = (params: Json) => server.send({ ...requestOf(server, listed, params), session: '' }).reply
  return readPages(ask, listed, () => server.handshake?.capabilities)
}

/** The same of one connection, which may say something else than the others; it takes nobody's turn. */
export function listOver(
  connection: Connection,
  server: UpstreamServer,
  listed: Listed,
): Promise<readonly unknown[] | undefined> {
  const ask = (params: Json) => connection.send(requestOf(server, listed, params)).reply
  return readPages(ask, listed, () => connection.handshake?.capabilities)
}

function requestOf(
  { config, ownEnvelope }: UpstreamServer,
  { method }: Listed,
  params: Json,
): UpstreamRequest {
  return {
    method,
    ...(params.cursor === undefined ? {} : { params }),
    envelope: ownEnvelope,
    timeoutMs: Math.min(LIST_TIMEOUT_MS, config.timeoutMs),
  }
}

async function readPages(
  ask: (params: Json) => Promise<ServerReply>,
  { member, capability }: Listed,
  capabilities: () => Json | undefined,
): Promise<readonly unknown[] | undefined> {
  const found: unknown[] = []
  let cursor: unknown
  let bytes = 0
  for (let page = 0; page < MAX_PAGES && found.length < MAX_ITEMS && bytes < MAX_BYTES; page++) {
    const answer = await ask({ cursor })
    if (answer.kind !== 'answer') return undefined
    const { result } = answer.message
    if (result === undefined) return page === 0 && capabilities()?.[capability] === undefined ? [] : undefined
    const items = result[member]
    bytes += answer.bytes ?? 0
    if (Array.isArray(items)) found.push(...(await keepShort(items, answer.bytes ?? 0)))
    cursor = result.nextCursor
    if (typeof cursor !== 'string') break
  }
  return found.slice(0, MAX_ITEMS)
}

/** Without what is too long, and without looking where nothing can be. */
async function keepShort(items: readonly unknown[], bytes: number): Promise<readonly unknown[]> {
  if (bytes <= MAX_LENGTH) return items
  let left = MAX_BYTES
  const some = items.slice(0, MAX_ITEMS)
  const isShort = await mapPolitely(some, item => {
    const { length } = writeJson(item)
    left -= length
    return length <= MAX_LENGTH && left >= 0
  })
  return some.filter((_, at) => isShort[at])
}

/** Something that has a name. */
export function isNamed(value: unknown): value is Json & { readonly name: string } {
  return isJsonObject(value) && isText(value.name) && value.name !== ''
}
