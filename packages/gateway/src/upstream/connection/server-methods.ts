import { readName } from '../../base/read-name.ts'
import type { Json, Notification } from '../../protocol/messages.ts'
import { exactDigits, isText } from '../../protocol/parse-json.ts'

/** Notifications that say only that a list has changed. */
export const LISTS_CHANGED: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
])

const UPDATED = 'notifications/resources/updated'

/** Notifications about the server itself. They concern no particular caller. */
const SERVER_NEWS: ReadonlySet<string> = new Set([
  ...LISTS_CHANGED,
  UPDATED,
  'notifications/subscriptions/acknowledged',
])

/** The questions in the protocol that the gateway can pass on to clients. */
const QUESTIONS: ReadonlySet<string> = new Set([
  'elicitation/create',
  'sampling/createMessage',
  'roots/list',
  'ping',
])

/**
 * Notifications that servers must not send. A `cancelled` could withdraw questions of the gateway and of other servers,
 * because a question's id at the client differs from its id at the server. The other notifications in this list are
 * sent by clients only.
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/initialized',
  'notifications/roots/list_changed',
])

/**
 * Matches the notifications that are passed on, including those that extensions and vendors define. No detector checks
 * a method's name, so the name must be too plain and short to carry a message.
 */
const PLAIN_METHOD = /^notifications\/[\w./-]{1,64}$/

/** Matches `hintgate`, also when digits replace letters. */
const GATEWAY_NAME = /h[i1l]n[t7]g[a4][t7][e3]/

const LOG = 'notifications/message'
/** Replaces a logger's name that resembles Hintgate's. */
const SERVER_LOGGER = 'server'

export function isQuestion(method: string): boolean {
  return QUESTIONS.has(method)
}

/** Returns true if a server may send this notification to a caller. */
export function maySend(method: string): boolean {
  return PLAIN_METHOD.test(method) && !FORBIDDEN.has(method) && !isGatewayName(method)
}

/**
 * Reduces a notification about the server to the members that the method defines, so no screening is needed. (A
 * subscriber to a resource already knows the resource's address.) Undefined for other notifications.
 */
export function readServerNews({ method, params }: Notification): Notification | undefined {
  if (!SERVER_NEWS.has(method)) return undefined
  const isUpdate = method === UPDATED && isText(params?.uri)
  return isUpdate ? { jsonrpc: '2.0', method, params: { uri: params?.uri } } : { jsonrpc: '2.0', method }
}

/** Reduces progress to its numbers, which need no screening. */
export function withoutText({ progressToken, progress, total }: Json): Json {
  return {
    progressToken,
    ...(isNumber(progress) ? { progress } : {}),
    ...(isNumber(total) ? { total } : {}),
  }
}

/**
 * Replaces the logger's name in a log line if it resembles Hintgate's. This must happen after screening, because
 * masking can reveal the name.
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
