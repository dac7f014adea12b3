import type { Notification } from '../protocol/messages.ts'
import { LOG_LEVELS, readLogLevel } from '../protocol/modern.ts'

/** Modern clients hear log messages only if they asked for them, and only those grave enough. */
export function mayHear({ method, params }: Notification, wanted: string | undefined): boolean {
  if (method !== 'notifications/message') return true
  const gravity = LOG_LEVELS.indexOf(readLogLevel(params?.level) ?? '')
  return wanted !== undefined && gravity >= LOG_LEVELS.indexOf(wanted)
}
