import { REFUSAL_CODES } from '@hintgate/metadata'
import { FORM_KEY } from '../approvals/form.ts'
import { SEALED_PREFIX } from '../approvals/seal.ts'
import { ERRORS } from '../errors.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Era } from '../store/store.ts'
import type { ServerReply } from '../upstream/attempt.ts'

export const META_NOTES = 'io.hintgate/notes'
export const META_ATTEMPTS = 'io.hintgate/attempts'

/** Everything under this name in a `_meta` is ours to say. */
const OURS = 'io.hintgate/'
/** But for what servers say that are made with our toolkit. */
const THEIRS: ReadonlySet<string> = new Set([`${OURS}effects`, `${OURS}mediaType`])
const UNSEEN = /[^ -~]/g
const IS_SEEN = /^[ -~]*$/
/** However it is spelt: what nobody sees may be stripped later. Most of it is plain. */
const seen = (text: string): string => (IS_SEEN.test(text) ? text : text.replaceAll(UNSEEN, ''))

function isOurs(key: string): boolean {
  const name = seen(key)
  return name.startsWith(OURS) && !THEIRS.has(name)
}

/**
 * The reply of a server without what it cannot have to say: remarks of ours, refusals and questions in our name, and of
 * an older server that it asks in a way that came after it.
 */
export function inOwnVoice(reply: ServerReply, era: Era | undefined): ServerReply {
  if (reply.kind !== 'answer') return reply
  const { result, error } = reply.message
  if (error !== undefined) {
    const data = withoutCode(withoutOurs(error.data))
    return data === error.data
      ? reply
      : { ...reply, message: { ...reply.message, error: { ...error, data } } }
  }
  if (result === undefined) return reply
  if (era !== 'legacy' && asksAsWe(result)) return { kind: 'failure', failure: IN_OUR_NAME }
  const cleaned = withoutRefusal(withoutRemarks(era === 'legacy' ? withoutType(result) : result))
  if (cleaned === result) return reply
  return { ...reply, message: { ...reply.message, result: cleaned }, text: undefined }
}

/** What a server says apart from results, without remarks of ours. */
export function saidInOwnVoice(said: Json): Json {
  return mapMembers(said, cleanPart)
}

/** By these clients know our refusals of what is no tool call. */
function withoutCode(data: unknown): unknown {
  if (!isJsonObject(data) || typeof data.code !== 'string' || !CODES.has(data.code)) return data
  const { code, ...rest } = data
  return { ...rest, server_code: code }
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
  return isOurState || keys.some(key => seen(key) === FORM_KEY)
}

function withoutType(result: Json): Json {
  if (result.resultType === undefined) return result
  const { resultType: _type, ...rest } = result
  return rest
}

/** Wherever the protocol has a place for remarks. */
function withoutRemarks(result: Json): Json {
  return mapMembers(result, cleanMember)
}

/** What a tool gives as data has no such place. */
function cleanMember(key: string, part: unknown): unknown {
  return key === 'structuredContent' ? part : cleanPart(key, part)
}

function cleanPart(key: string, part: unknown): unknown {
  if (Array.isArray(part)) return cleanList(part)
  if (!isJsonObject(part)) return part
  return seen(key) === '_meta' ? withoutOurs(part) : mapMembers(part, cleanPart)
}

function cleanList(list: readonly unknown[]): readonly unknown[] {
  let cleaned: unknown[] | undefined
  for (let at = 0; at < list.length; at += 1) {
    const part = cleanPart('', list[at])
    if (part !== list[at]) cleaned ??= list.slice(0, at)
    cleaned?.push(part)
  }
  return cleaned ?? list
}

/** The same object where nothing changes, as nearly always. */
function mapMembers(object: Json, change: (key: string, part: unknown) => unknown): Json {
  let changed: [string, unknown][] | undefined
  for (const key in object) {
    const part = object[key]
    const mapped = typeof part === 'object' ? change(key, part) : part
    if (mapped === part) continue
    changed ??= []
    changed.push([key, mapped])
  }
  return changed === undefined ? object : { ...object, ...Object.fromEntries(changed) }
}

/** Under this name a caller finds what a server calls by one of our names. */
const SERVER_ERROR = 'server_error'

/**
 * That a call was refused, and what to do about it, is ours to say: who reads a result goes by its `error` and the code in
 * it. A server may have the same to say of itself, but not in the same place.
 */
function withoutRefusal(result: Json): Json {
  if (!isFailure(result)) return result
  return mapMembers(result, (key, part) =>
    seen(key) === 'structuredContent' && isJsonObject(part) && Object.entries(part).some(isRefusal)
      ? renameRefusals(part)
      : part,
  )
}

/** Under names that are free: nothing that a server says is lost to what else it says. */
function renameRefusals(data: Json): Json {
  let number = 0
  const nextFree = (): string => {
    for (;;) {
      number += 1
      const name = number === 1 ? SERVER_ERROR : `${SERVER_ERROR}_${number}`
      if (!Object.hasOwn(data, name)) return name
    }
  }
  return Object.fromEntries(
    Object.entries(data).map(entry => (isRefusal(entry) ? [nextFree(), entry[1]] : entry)),
  )
}

/** Some clients take more for true than `true`. */
function isFailure(result: Json): boolean {
  for (const key in result) {
    const value = result[key]
    if (value !== false && value !== null && seen(key) === 'isError') return true
  }
  return false
}

function isRefusal([key, part]: readonly [string, unknown]): boolean {
  if (seen(key) !== 'error' || !isJsonObject(part)) return false
  return Object.entries(part).some(
    ([name, code]) => seen(name) === 'code' && typeof code === 'string' && CODES.has(seen(code)),
  )
}

/** All that a client may take for a refusal of ours. */
const CODES: ReadonlySet<string> = new Set([...REFUSAL_CODES, ...Object.keys(ERRORS)])

function withoutOurs(said: unknown): unknown {
  if (!isJsonObject(said) || !Object.keys(said).some(isOurs)) return said
  return Object.fromEntries(Object.entries(said).filter(([key]) => !isOurs(key)))
}
