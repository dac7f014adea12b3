import type { Notification } from '../protocol/messages.ts'
import { LOG_LEVELS } from '../protocol/modern.ts'

/** Modern clients hear log messages only if they asked for them, and only those grave enough. */
export function mayHear({ method, params }: Notification, wanted: string | undefined): boolean {
  if (method !== 'notifications/message') return true
  return wanted !== undefined && LOG_LEVELS.indexOf(String(params?.level)) >= LOG_LEVELS.indexOf(wanted)
}
