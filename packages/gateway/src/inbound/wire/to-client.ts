import { LIMITS } from '../../admission/limits.ts'
import type { QuestionResult } from '../../exchange/exchange.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../../protocol/messages.ts'
import { LOG_LEVELS, readLogLevel } from '../../protocol/modern.ts'
import type { Ask } from '../../upstream/connection/upstream-request.ts'

/** Whether a session receives a notification. It receives resource updates only for resources that it watches. */
export function isWatched({ method, params }: Notification, follows: { has(uri: string): boolean }): boolean {
  if (method !== 'notifications/resources/updated') return true
  const uri = params?.uri
  return typeof uri === 'string' && follows.has(uri)
}

/**
 * Whether a modern client asked for a log message. Returns false if the client set no level or a higher one; true for
 * other notifications.
 */
export function isRequestedLog({ method, params }: Notification, wanted: string | undefined): boolean {
  if (method !== 'notifications/message') return true
  const gravity = LOG_LEVELS.indexOf(readLogLevel(params?.level) ?? '')
  return wanted !== undefined && gravity >= LOG_LEVELS.indexOf(wanted)
}

/**
 * Returns false for a log message below the level that a legacy client set. A client that set no level receives every
 * message.
 */
export function isSevereEnough({ method, params }: Notification, wanted: string | undefined): boolean {
  if (wanted === undefined || method !== 'notifications/message') return true
  const level = readLogLevel(params?.level)
  return level === undefined || LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted)
}

/**
 * Maximum number of open questions per call, and their maximum total length in characters. They are limited because
 * they stay in memory.
 */
export const { count: MOST_QUESTIONS, length: MOST_ASKED } = LIMITS.questions.ofCall

export const TOO_MANY_QUESTIONS: RpcError = {
  code: RPC.internal,
  message: `the client has not answered earlier questions of this call; a call can have at most ${MOST_QUESTIONS} open questions, with ${MOST_ASKED} characters in total`,
}

const NEEDED: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
])

/** The reason why a client cannot be asked. `capability` is set if the client lacks that capability. */
export interface Unaskable extends RpcError {
  readonly capability?: string
}

/** Returns the reason why a client cannot be asked, or undefined if it can. */
export function explainUnaskable(ask: Ask, capabilities: Json): Unaskable | undefined {
  const needed = NEEDED.get(ask.method)
  // An unknown method is not quoted, because its name is unchecked text from the server.
  if (needed === undefined)
    return { code: RPC.methodNotFound, message: 'clients do not support this kind of question' }
  const offered = capabilities[needed]
  const isUrl = ask.params?.mode === 'url'
  // An empty elicitation capability means that the client supports only forms.
  const isOffered = isUrl ? isJsonObject(offered) && offered.url !== undefined : offered !== undefined
  if (isOffered) return undefined
  return {
    code: RPC.methodNotFound,
    message: `the client does not support ${needed}${isUrl ? ' by URL' : ''}`,
    capability: needed,
  }
}

/**
 * Refuses a question. If this client lacks a capability, the call ends with an error that names the capability. If the
 * question is of a kind that no client supports, the call continues.
 */
export function refuseAsk({ params }: Ask, { capability, ...error }: Unaskable): QuestionResult {
  if (capability === undefined) return { error }
  const feature = capability === 'elicitation' ? { [params?.mode === 'url' ? 'url' : 'form']: {} } : {}
  const data = { requiredCapabilities: { [capability]: feature } }
  return { error, ending: { code: RPC.missingCapability, message: error.message, data } }
}
