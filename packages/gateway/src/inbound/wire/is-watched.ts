import type { Notification } from '../../protocol/messages.ts'

/** Whether a session is to hear what its server says: that a resource changed only if the session watches it. */
export function isWatched({ method, params }: Notification, follows: { has(uri: string): boolean }): boolean {
  if (method !== 'notifications/resources/updated') return true
  const uri = params?.uri
  return typeof uri === 'string' && follows.has(uri)
}
