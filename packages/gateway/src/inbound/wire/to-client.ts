import { LIMITS } from '../../admission/limits.ts'
import type { QuestionResult } from '../../exchange/exchange.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../../protocol/messages.ts'
import { LOG_LEVELS, readLogLevel } from '../../protocol/modern.ts'
import type { Ask } from '../../upstream/connection/upstream-request.ts'

/** Whether a session receives a notification: a resource update only if the session watches the resource. */
export function isWatched({ method, params }: Notification, follows: { has(uri: string): boolean }): boolean {
  if (method !== 'notifications/resources/updated') return true
  const uri = params?.uri
  return typeof uri === 'string' && follows.has(uri)
}

/** Modern clients receive log messages only if they ask for them, from their level on. */
export function isRequestedLog({ method, params }: Notification, wanted: string | undefined): boolean {
  if (method !== 'notifications/message') return true
  const gravity = LOG_LEVELS.indexOf(readLogLevel(params?.level) ?? '')
  return wanted !== undefined && gravity >= LOG_LEVELS.indexOf(wanted)
}

/** Legacy clients receive all of them until they set a level. */
export function isSevereEnough({ method, params }: Notification, wanted: string | undefined): boolean {
  if (wanted === undefined || method !== 'notifications/message') return true
  const level = readLogLevel(params?.level)
  return level === undefined || LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted)
}

/** For one call at once, and in characters: clients do not answer more, and questions stay in memory. */
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

/** Why a client cannot be asked; `capability` is what it lacks, if that is the reason. */
export interface Unaskable extends RpcError {
  readonly capability?: string
}

/** Undefined if it can be asked. */
export function explainUnaskable(ask: Ask, capabilities: Json): Unaskable | undefined {
  const needed = NEEDED.get(ask.method)
  // An unknown method is not quoted, because its name is unchecked text of the server.
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
 * A call that needs a missing capability of its client ends with the error that names it. If no client can have the
 * capability, the call continues.
 */
export function refuseAsk({ params }: Ask, { capability, ...error }: Unaskable): QuestionResult {
  if (capability === undefined) return { error }
  const feature = capability === 'elicitation' ? { [params?.mode === 'url' ? 'url' : 'form']: {} } : {}
  const data = { requiredCapabilities: { [capability]: feature } }
  return { error, ending: { code: RPC.missingCapability, message: error.message, data } }
}
