import { LIMITS } from '../../admission/limits.ts'
import { type Notification, RPC, type RpcError } from '../../protocol/messages.ts'
import { LOG_LEVELS, readLogLevel } from '../../protocol/modern.ts'

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
