import { isJsonObject } from '../../protocol/messages.ts'

/** Answers, notifications and cancellations are no calls: they have to come through when all calls are taken. */
export function countRequests(body: unknown): number {
  if (!Array.isArray(body)) return isCall(body) ? 1 : 0
  return body.filter(isCall).length
}

function isCall(message: unknown): boolean {
  return isJsonObject(message) && message.method !== undefined && message.id !== undefined
}
