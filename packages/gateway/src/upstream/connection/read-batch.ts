import { isLongerThanNotifications } from '../../admission/talk.ts'
import { type Id, type Message, readMessage } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { answeredId } from '../../protocol/read-server-json.ts'

/** Older servers may send several messages at once. */
export const MOST_IN_BATCH = 1000

/** One part of a batch. Without a message it is not JSON-RPC, and `id` is the request that it answers. */
type Part =
  | { readonly message: Message; readonly text: string }
  | { readonly message: undefined; readonly id: Id | undefined }

/** In a batch that is longer than any notification may be, only answers count. */
export function readBatch(values: readonly unknown[], text: string): Part[] {
  const isLong = isLongerThanNotifications(text)
  const parts: Part[] = []
  for (const value of values) {
    const message = readMessage(value)
    if (message === undefined) parts.push({ message, id: answeredId(value) })
    else if (!('method' in message))
      parts.push({ message, text: values.length === 1 ? text : writeJson(message) })
    else if (!isLong) parts.push({ message, text: '' })
  }
  return parts
}
