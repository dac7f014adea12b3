import { LIMITS } from '../../admission/limits.ts'
import type { QuestionResult } from '../../exchange/exchange.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../../protocol/messages.ts'
import { LOG_LEVELS, readLogLevel } from '../../protocol/modern.ts'
import type { Ask } from '../../upstream/connection/upstream-request.ts'

/** Whether a session is to hear what its server says: that a resource changed only if the session watches it. */
export function isWatched({ method, params }: Notification, follows: { has(uri: string): boolean }): boolean {
  if (method !== 'notifications/resources/updated') return true
  const uri = params?.uri
  return typeof uri === 'string' && follows.has(uri)
}

/** Modern clients hear log messages only if they asked for them, and only those grave enough. */
export function mayHear({ method, params }: Notification, wanted: string | undefined): boolean {
  if (method !== 'notifications/message') return true
  const gravity = LOG_LEVELS.indexOf(readLogLevel(params?.level) ?? '')
  return wanted !== undefined && gravity >= LOG_LEVELS.indexOf(wanted)
}

/** Older clients hear all of them, until they say how grave they have to be. */
export function isGraveEnough({ method, params }: Notification, wanted: string | undefined): boolean {
  if (wanted === undefined || method !== 'notifications/message') return true
  const level = readLogLevel(params?.level)
  return level === undefined || LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(wanted)
}

/** Of one call, at once, and in characters: nobody answers more, and they wait in our memory. */
export const { count: MOST_QUESTIONS, length: MOST_ASKED } = LIMITS.questions.ofCall

export const TOO_MUCH: RpcError = {
  code: RPC.internal,
  message: `the client has not answered what was asked before; a call may have ${MOST_QUESTIONS} questions and ${MOST_ASKED} characters of them open`,
}

const NEEDED: ReadonlyMap<string, string> = new Map([
  ['elicitation/create', 'elicitation'],
  ['sampling/createMessage', 'sampling'],
  ['roots/list', 'roots'],
])

/** Why a client cannot be asked something; `capability` is what it lacks for that, if there is one. */
export interface Unaskable extends RpcError {
  readonly capability?: string
}

/** Undefined when it can. */
export function cannotBeAsked(ask: Ask, capabilities: Json): Unaskable | undefined {
  const needed = NEEDED.get(ask.method)
  // What else a server calls its question is in its own words, which nobody has looked through.
  if (needed === undefined) return { code: RPC.methodNotFound, message: 'clients cannot be asked that' }
  const offered = capabilities[needed]
  const isUrl = ask.params?.mode === 'url'
  // An empty elicitation capability stands for forms alone.
  const isOffered = isUrl ? isJsonObject(offered) && offered.url !== undefined : offered !== undefined
  if (isOffered) return undefined
  return {
    code: RPC.methodNotFound,
    message: `the client does not support ${needed}${isUrl ? ' by URL' : ''}`,
    capability: needed,
  }
}

/**
 * A call that needs what its client cannot do ends with the error that says so. What no client can do is never needed, so
 * then the call goes on.
 */
export function refuseAsk({ params }: Ask, { capability, ...error }: Unaskable): QuestionResult {
  if (capability === undefined) return { error }
  const feature = capability === 'elicitation' ? { [params?.mode === 'url' ? 'url' : 'form']: {} } : {}
  const data = { requiredCapabilities: { [capability]: feature } }
  return { error, ending: { code: RPC.missingCapability, message: error.message, data } }
}
