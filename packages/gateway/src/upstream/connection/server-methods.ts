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
 * Notifications that servers must not send. `cancelled` could withdraw questions from the gateway and other servers,
 * because a question has a different id at the client than at the server. Only clients send the others.
 */
const FORBIDDEN: ReadonlySet<string> = new Set([
  'notifications/cancelled',
  'notifications/initialized',
  'notifications/roots/list_changed',
])

/**
 * Matches the methods that are passed on; extensions and vendors define their own. No detector checks a method, so it
 * must be a plain name with no room for a message.
 */
const PLAIN_METHOD = /^notifications\/[\w./-]{1,64}$/

/** Matches `hintgate`, including spellings with digits in place of letters. */
const GATEWAY_NAME = /h[i1l]n[t7]g[a4][t7][e3]/

const LOG = 'notifications/message'
/** Replaces a logger's name that resembles the gateway's. */
const SERVER_LOGGER = 'server'

export function isQuestion(method: string): boolean {
  return QUESTIONS.has(method)
}

/** Whether a server may send this notification to a caller. */
export function maySend(method: string): boolean {
  return PLAIN_METHOD.test(method) && !FORBIDDEN.has(method) && !isGatewayName(method)
}

/**
 * Reduces news about the server to the members that it needs, so that no screening is necessary (subscribers to a
 * resource already know its address). Undefined for other notifications.
 */
export function readServerNews({ method, params }: Notification): Notification | undefined {
  if (!SERVER_NEWS.has(method)) return undefined
  const isUpdate = method === UPDATED && isText(params?.uri)
  return isUpdate ? { jsonrpc: '2.0', method, params: { uri: params?.uri } } : { jsonrpc: '2.0', method }
}

/** Reduces progress to its numbers, so that no screening is necessary. */
export function withoutText({ progressToken, progress, total }: Json): Json {
  return {
    progressToken,
    ...(isNumber(progress) ? { progress } : {}),
    ...(isNumber(total) ? { total } : {}),
  }
}

/**
 * Replaces the logger of a log line if it resembles the gateway's name. Apply this after screening, because masking can
 * reveal the name.
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
