import type { Notification } from '../protocol/messages.ts'

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency']

/** Modern clients hear log messages only if they asked for them, and only those grave enough. */
export function mayHear({ method, params }: Notification, wanted: string | undefined): boolean {
  if (method !== 'notifications/message') return true
  return wanted !== undefined && LEVELS.indexOf(String(params?.level)) >= LEVELS.indexOf(wanted)
}
