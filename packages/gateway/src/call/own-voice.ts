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
const UNSEEN = /[^ -~]/g
/** However it is spelt: what nobody sees may be stripped later. */
const isOurs = (key: string): boolean => OURS.includes(key.replaceAll(UNSEEN, ''))

/**
 * The reply of a server without what it cannot have to say: remarks of ours, questions in our name, and of an older
 * server that it asks in a way that came after it.
 */
export function inOwnVoice(reply: ServerReply, era: Era | undefined): ServerReply {
  if (reply.kind !== 'answer') return reply
  const { result, error } = reply.message
  if (error !== undefined) {
    const data = withoutOurs(error.data)
    return data === error.data
      ? reply
      : { ...reply, message: { ...reply.message, error: { ...error, data } } }
  }
  if (result === undefined) return reply
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
  const keys = isJsonObject(inputRequests) ? Object.keys(inputRequests) : []
  return isOurState || keys.some(key => key.replaceAll(UNSEEN, '') === FORM_KEY)
}

function withoutType(result: Json): Json {
  if (result.resultType === undefined) return result
  const { resultType: _type, ...rest } = result
  return rest
}

function withoutRemarks(result: Json): Json {
  const meta = withoutOurs(result._meta)
  return meta === result._meta ? result : { ...result, _meta: meta }
}

function withoutOurs(said: unknown): unknown {
  if (!isJsonObject(said) || !Object.keys(said).some(isOurs)) return said
  return Object.fromEntries(Object.entries(said).filter(([key]) => !isOurs(key)))
}
