import { isLongerThanNotifications } from '../../admission/talk.ts'
import { type Id, type Message, readMessage } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { answeredId } from '../../protocol/read-server-json.ts'

/** Maximum number of messages in a batch. Only older protocol versions have batches. */
export const MOST_IN_BATCH = 1000

/**
 * One part of a batch. A part without `message` is not valid JSON-RPC; its `id` is the id of the request that the part
 * seems to answer.
 */
type Part =
  | { readonly message: Message; readonly text: string }
  | { readonly message: undefined; readonly id: Id | undefined }

/** Reads the parts of a batch. If the batch is longer than a notification may be, only its answers are kept. */
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
