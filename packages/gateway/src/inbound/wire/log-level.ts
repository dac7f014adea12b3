import type { Notification } from '../../protocol/messages.ts'
import { LOG_LEVELS, readLogLevel } from '../../protocol/modern.ts'

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
