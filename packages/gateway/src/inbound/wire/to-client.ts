import { LIMITS } from '../../admission/limits.ts'
import type { QuestionResult } from '../../exchange/exchange.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../../protocol/messages.ts'
import { LOG_LEVELS, readLogLevel } from '../../protocol/modern.ts'
import type { Ask } from '../../upstream/connection/upstream-request.ts'

/** True if a session receives a notification: it receives updates only of resources that it watches. */
export function isWatched({ method, params }: Notification, follows: { has(uri: string): boolean }): boolean {
  if (method !== 'notifications/resources/updated') return true
  const uri = params?.uri
  return typeof uri === 'string' && follows.has(uri)
}

/** False for a log message that a modern client did not ask for, or that is below the client's level. */
export function isRequestedLog({ method, params }: Notification, wanted: string | undefined): boolean {
  if (method !== 'notifications/message') return true
  const gravity = LOG_LEVELS.indexOf(readLogLevel(params?.level) ?? '')
  return wanted !== undefined && gravity >= LOG_LEVELS.indexOf(wanted)
}

/** False for a log message below a legacy client's level; a client that set no level receives every message. */
export function isSevereEnough({ method, params }: Notification, wanted: string | undefined): boolean {
  if (wanted === undefined || method !== 'notifications/message') return true
  const level = readLogLevel(params?.level)
  return level === undefined || LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted)
}

/** The most open questions of one call, and their most characters in total, because they stay in memory. */
export const { count: MOST_QUESTIONS, length: MOST_ASKED } = LIMITS.questions.ofCall

export const TOO_MANY_QUESTIONS: RpcError = {
  code: RPC.internal,
  message: `the client has not answered earlier questions of this call, which may have ${MOST_QUESTIONS} open questions of ${MOST_ASKED} characters in total`,
}

const NEEDED: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
])

/** The reason why a client cannot be asked; `capability` is set if the client lacks it. */
export interface Unaskable extends RpcError {
  readonly capability?: string
}

/** Returns the reason why a client cannot be asked, or undefined if it can. */
export function explainUnaskable(ask: Ask, capabilities: Json): Unaskable | undefined {
  const needed = NEEDED.get(ask.method)
  // An unknown method is not quoted, because its name is unchecked text from the server.
  if (needed === undefined)
    return { code: RPC.methodNotFound, message: 'clients do not support this question' }
  const offered = capabilities[needed]
  const isUrl = ask.params?.mode === 'url'
  // An empty elicitation capability means forms only.
  const isOffered = isUrl ? isJsonObject(offered) && offered.url !== undefined : offered !== undefined
  if (isOffered) return undefined
  return {
    code: RPC.methodNotFound,
    message: `the client does not support ${needed}${isUrl ? ' by URL' : ''}`,
    capability: needed,
  }
}

/**
 * Refuses a question. If the client lacks the capability, the call ends with an error that names it; if no client can
 * have the capability, the call continues.
 */
export function refuseAsk({ params }: Ask, { capability, ...error }: Unaskable): QuestionResult {
  if (capability === undefined) return { error }
  const feature = capability === 'elicitation' ? { [params?.mode === 'url' ? 'url' : 'form']: {} } : {}
  const data = { requiredCapabilities: { [capability]: feature } }
  return { error, ending: { code: RPC.missingCapability, message: error.message, data } }
}
