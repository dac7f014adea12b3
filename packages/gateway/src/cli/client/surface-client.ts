import type { Json, Notification, RpcError } from '../../protocol/messages.ts'
import { withEnvelope } from '../../protocol/modern.ts'
import { version } from '../terminal/version.ts'

export type Reply = { readonly result: Json } | { readonly error: RpcError }

export type OnNotification = (notification: Notification) => void

export interface Wanted {
  readonly method: string
  readonly params?: Json
}

/** A modern MCP client of a gateway, whether it runs in this process or elsewhere. */
export interface SurfaceClient {
  /** Resolves when the servers are there; names those that did not come, which it has told the person already. */
  ready(): Promise<{ readonly failed: readonly string[]; readonly started: number }>
  /** One request to the surface behind a path; `onNotification` hears of its progress. */
  request(path: string, wanted: Wanted, onNotification?: OnNotification): Promise<Reply>
  close(): Promise<void>
}

const CLIENT_INFO = { name: 'hintgate-cli', version: version() }

/** Nobody can be asked anything in the middle of a call, so no capabilities are offered. */
export function writeParams(params: Json = {}, onNotification?: OnNotification): Json {
  const asked = onNotification === undefined ? params : { ...params, _meta: { progressToken: 1 } }
  return withEnvelope(asked, { capabilities: {}, clientInfo: CLIENT_INFO })
}
