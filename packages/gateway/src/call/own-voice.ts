import { FORM_KEY } from '../approvals/form.ts'
import { SEALED_PREFIX } from '../approvals/seal.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { META_TAINT } from '../results/check-result.ts'
import { META_KEY } from '../results/show-first.ts'
import type { Era } from '../store/store.ts'
import type { ServerReply } from '../upstream/attempt.ts'

export const META_NOTES = 'io.hintgate/notes'
export const META_ATTEMPTS = 'io.hintgate/attempts'

/** What we say of results, and nobody else. */
const OURS: readonly string[] = [META_NOTES, META_ATTEMPTS, META_TAINT, META_KEY]

/**
 * The reply of a server without what it cannot have to say: remarks of ours, questions in our name, and of an older
 * server that it asks in a way that came after it.
 */
export function inOwnVoice(reply: ServerReply, era: Era | undefined): ServerReply {
  const result = reply.kind === 'answer' ? reply.message.result : undefined
  if (reply.kind !== 'answer' || result === undefined) return reply
  if (era !== 'legacy' && asksAsWe(result)) return { kind: 'failure', failure: IN_OUR_NAME }
  const cleaned = withoutRemarks(era === 'legacy' ? withoutType(result) : result)
  if (cleaned === result) return reply
  return { ...reply, message: { ...reply.message, result: cleaned }, text: undefined }
}

const IN_OUR_NAME = {
  kind: 'protocol',
  detail: 'the server asked a question in the name of the gateway',
  notSent: false,
} as const

function asksAsWe(result: Json): boolean {
  if (!isInputRequired(result)) return false
  const { inputRequests, requestState } = result
  const isOurState = typeof requestState === 'string' && requestState.startsWith(SEALED_PREFIX)
  return isOurState || (isJsonObject(inputRequests) && Object.hasOwn(inputRequests, FORM_KEY))
}

function withoutType(result: Json): Json {
  if (result.resultType === undefined) return result
  const { resultType: _type, ...rest } = result
  return rest
}

function withoutRemarks(result: Json): Json {
  const { _meta: meta } = result
  if (!isJsonObject(meta) || !OURS.some(key => Object.hasOwn(meta, key))) return result
  return { ...result, _meta: Object.fromEntries(Object.entries(meta).filter(([key]) => !OURS.includes(key))) }
}
