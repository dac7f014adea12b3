import { readName } from '../../base/read-name.ts'
import type { Json, Notification } from '../../protocol/messages.ts'
import { exactDigits, isText } from '../../protocol/parse-json.ts'

/** Notifications that say only that a list changed. */
export const LISTS_CHANGED: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
])

const UPDATED = 'notifications/resources/updated'

/** Notifications about the server itself, which concern no caller in particular. */
const SERVER_NEWS: ReadonlySet<string> = new Set([
  ...LISTS_CHANGED,
  UPDATED,
  'notifications/subscriptions/acknowledged',
])

/** The protocol's questions to clients that the gateway can pass on. */
const QUESTIONS: ReadonlySet<string> = new Set([
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
  'ping',
])

/**
 * Notifications that servers may not send. `cancelled` would withdraw questions of the gateway and of other servers,
 * because a question has another id at the client than at the server. The others are for clients to send.
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/initialized',
  'notifications/roots/list_changed',
])

/**
 * Extensions of the protocol and vendors define notifications of their own, and the gateway passes them on. No check
 * reads a method, so it must be a plain name without room for a message.
 */
const PLAIN_METHOD = /^notifications\/[\w./-]{1,64}$/

/** `hintgate`, also with digits for its letters. */
const GATEWAY_NAME = /h[i1l]n[t7]g[a4][t7][e3]/

const LOG = 'notifications/message'
/** The logger's name if the server used the gateway's own name. */
const SERVER_LOGGER = 'server'

export function isQuestion(method: string): boolean {
  return QUESTIONS.has(method)
}

/** Whether a server may send this notification to a caller. */
export function maySend(method: string): boolean {
  return PLAIN_METHOD.test(method) && !FORBIDDEN.has(method) && !isGatewayName(method)
}

/**
 * The notification with no more members than it needs, so that no screening is necessary; subscribers to a resource
 * know its address already. Undefined for other notifications.
 */
export function readServerNews({ method, params }: Notification): Notification | undefined {
  if (!SERVER_NEWS.has(method)) return undefined
  const isUpdate = method === UPDATED && isText(params?.uri)
  return isUpdate ? { jsonrpc: '2.0', method, params: { uri: params?.uri } } : { jsonrpc: '2.0', method }
}

/** Progress without text, so that no screening is necessary. */
export function withoutText({ progressToken, progress, total }: Json): Json {
  return {
    progressToken,
    ...(isNumber(progress) ? { progress } : {}),
    ...(isNumber(total) ? { total } : {}),
  }
}

/**
 * A log line that does not use the gateway's name. Check what is shown, not what the server sent: masking may remove
 * the name.
 */
export function withServerLogger(said: Notification): Notification {
  const { method, params } = said
  if (method !== LOG || params?.logger === undefined) return said
  const isServersOwn = isText(params.logger) && !isGatewayName(params.logger)
  return isServersOwn ? said : { ...said, params: { ...params, logger: SERVER_LOGGER } }
}

function isGatewayName(name: string): boolean {
  return GATEWAY_NAME.test(readName(name))
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || exactDigits(value) !== undefined
}
