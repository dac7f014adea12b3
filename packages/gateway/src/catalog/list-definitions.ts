import { isJsonObject, type Json } from '../protocol/messages.ts'
import { isText, writeJson } from '../protocol/parse-json.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { Connection } from '../upstream/connection/connection.ts'
import type { UpstreamRequest } from '../upstream/connection/upstream-request.ts'
import { askOver } from '../upstream/repeat.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { mapInSlices } from './map-in-slices.ts'

const MAX_PAGES = 100
const MAX_ITEMS = 10_000
const LIST_TIMEOUT_MS = 30_000
/**
 * Maximum number of characters in a definition's JSON. A person cannot review a longer one, and every definition is
 * stored, compared and searched repeatedly.
 */
const MAX_LENGTH = 256 * 1024
/** Maximum number of characters in all of a server's definitions together. */
const MAX_BYTES = 16 * 1024 * 1024
/**
 * Maximum number of characters in a name; the protocol recommends 128. Names have a limit of their own, because they
 * are compared, split and folded as a whole.
 */
export const LONGEST_NAME = 256

export interface Listed {
  readonly method: string
  readonly member: string
  readonly capability: string
}

export const TOOLS: Listed = { method: 'tools/list', member: 'tools', capability: 'tools' }

/** Lists the definitions from all pages. Undefined if the server did not answer; empty if it has no definitions. */
export function listDefinitions(
  server: UpstreamServer,
  listed: Listed,
): Promise<readonly unknown[] | undefined> {
  const ask = (params: Json) => server.send({ ...requestOf(server, listed, params), session: '' }).reply
  return readPages(ask, listed, () => server.handshake?.capabilities)
}

/**
 * Lists the definitions of one connection, which can differ from those of others. The requests bypass the server's
 * queue.
 */
export function listOver(
  connection: Connection,
  server: UpstreamServer,
  listed: Listed,
): Promise<readonly unknown[] | undefined> {
  const ask = (params: Json) => askOver(connection, requestOf(server, listed, params))
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
    if (Array.isArray(items)) {
      const short = await keepShort(items.slice(0, MAX_ITEMS - found.length), answer.bytes)
      // Items are added one by one, because spreading a very long list into arguments could overflow the stack.
      for (const item of short.items) found.push(item)
      bytes += short.bytes
    }
    cursor = result.nextCursor
    if (typeof cursor !== 'string') break
  }
  return found
}

interface Short {
  readonly items: readonly unknown[]
  /** The total length of all examined definitions. */
  readonly bytes: number
}

/** Drops definitions that are too long. Skips the check if the whole answer is short. */
async function keepShort(items: readonly unknown[], bytes = 0): Promise<Short> {
  // `bytes` is 0 if the length is unknown, as for an answer within a batch.
  if (bytes > 0 && bytes <= MAX_LENGTH) return { items, bytes }
  let weight = 0
  const isShort = await mapInSlices(items, item => {
    const { length } = writeJson(item)
    weight += length
    return length <= MAX_LENGTH && weight <= MAX_BYTES
  })
  return { items: items.filter((_, at) => isShort[at]), bytes: Math.max(bytes, weight) }
}

export function isNamed(value: unknown): value is Json & { readonly name: string } {
  return isJsonObject(value) && isText(value.name) && value.name !== '' && value.name.length <= LONGEST_NAME
}
