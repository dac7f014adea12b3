import type { Notification } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'

const written = new WeakMap<Notification, string>()

/** A notification as text. It may be for a thousand sessions, and is the same for all of them. */
export function writeOnce(notification: Notification): string {
  const known = written.get(notification)
  if (known !== undefined) return known
  const text = writeJson(notification)
  written.set(notification, text)
  return text
}
