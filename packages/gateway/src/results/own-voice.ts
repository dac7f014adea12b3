import { REFUSAL_CODES } from '@hintgate/metadata'
import { FORM_KEY, looksLikeOurs } from '../approvals/form.ts'
import { SEALED_PREFIX } from '../approvals/seal.ts'
import { ERRORS } from '../base/errors.ts'
import { isJsonObject, type Json, type RpcError } from '../protocol/messages.ts'
import { nameOf, withoutReserved } from '../protocol/name-of.ts'
import type { Era } from '../store/store.ts'

export const META_NOTES = 'io.hintgate/notes'

export const META_ATTEMPTS = 'io.hintgate/attempts'

const UNSEEN = /[^ -~]/g

const IS_SEEN = /^[ -~]*$/

/** However it is spelt: what nobody sees may be stripped later. Most of it is plain. */
const seen = (text: string): string => (IS_SEEN.test(text) ? text : text.replaceAll(UNSEEN, ''))

/**
 * A result of a server without what only the gateway may say: remarks, refusals and questions in its name, and, from an
 * older server, that it asks in a way that came after it. Undefined: it asks or refuses in the gateway's name.
 */
export function resultInOwnVoice(result: Json, era: Era | undefined): Json | undefined {
  if (era !== 'legacy' && asksAsGateway(result)) return undefined
  return withoutRefusal(withoutRemarks(era === 'legacy' ? withoutType(result) : result))
}

export function errorInOwnVoice(error: RpcError): RpcError {
  const own = withoutReserved(error) as RpcError
  const data = withoutCode(withoutReserved(own.data))
  return data === own.data ? own : { ...own, data }
}

/** What a server says apart from results, without remarks of ours. */
export function saidInOwnVoice(said: Json): Json {
  return withoutReserved(mapMembers(said, cleanTop))
}

/** The same for what it asks: a question, or all of those in a result. Undefined: it asks in our name, and nobody is to be asked. */
export function askedInOwnVoice(said: Json): Json | undefined {
  return looksLikeOurs([said]) || asksAsGateway(said) ? undefined : saidInOwnVoice(said)
}

/** By these clients know our refusals of what is no tool call. */
function withoutCode(data: unknown): unknown {
  return isJsonObject(data) ? renameMembers(data, isCode, 'server_code') : data
}

/** Whether it says that it asks does not matter: who reads names in another way may find that it does. */
export function asksAsGateway(result: Json): boolean {
  let isAsking = false
  for (const key in result) {
    const part = result[key]
    if (typeof part === 'string') {
      if (part.startsWith(SEALED_PREFIX) && nameOf(key) === 'requeststate') return true
    } else if (isJsonObject(part) && nameOf(key) === 'inputrequests') {
      isAsking = true
      for (const name in part) if (nameOf(name) === FORM_KEY) return true
    }
  }
  return isAsking && looksLikeOurs(questionsIn(result))
}

function* questionsIn(result: Json): Generator<Json> {
  for (const key in result) {
    const requests = result[key]
    if (!isJsonObject(requests) || nameOf(key) !== 'inputrequests') continue
    for (const name in requests) yield* paramsIn(requests[name])
  }
}

function* paramsIn(request: unknown): Generator<Json> {
  if (!isJsonObject(request)) return
  for (const key in request) {
    const part = request[key]
    if (nameOf(key) === 'params' && isJsonObject(part)) yield part
  }
}

function withoutType(result: Json): Json {
  for (const key in result)
    if (nameOf(key) === 'resulttype')
      return Object.fromEntries(Object.entries(result).filter(([one]) => nameOf(one) !== 'resulttype'))
  return result
}

/** Wherever the protocol has a place for remarks. */
function withoutRemarks(result: Json): Json {
  return mapMembers(result, cleanMember)
}

/** What a tool gives as data has no such place. */
function cleanMember(key: string, part: unknown): unknown {
  return key === 'structuredContent' ? part : cleanTop(key, part)
}

function cleanTop(key: string, part: unknown): unknown {
  if (!isJsonObject(part) || nameOf(key) !== 'inputrequests') return cleanPart(key, part)
  return mapMembers(part, (_, request) =>
    isJsonObject(request) ? mapMembers(request, cleanRequest) : cleanPart('', request),
  )
}

/** What is asked is what would be said apart from results. */
function cleanRequest(key: string, part: unknown): unknown {
  return nameOf(key) === 'params' && isJsonObject(part) ? saidInOwnVoice(part) : cleanPart(key, part)
}

function cleanPart(key: string, part: unknown): unknown {
  if (Array.isArray(part)) return cleanList(part)
  if (!isJsonObject(part)) return part
  return nameOf(key) === '_meta' ? withoutReserved(part) : mapMembers(part, cleanPart)
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
function withoutRefusal(result: Json): Json | undefined {
  if (!isFailure(result)) return result
  let isTooMuch = false
  const own = mapMembers(result, (key, part) => {
    if (nameOf(key) !== 'structuredcontent' || !isJsonObject(part)) return part
    const renamed = renameMembers(part, isRefusal, SERVER_ERROR)
    isTooMuch ||= renamed === undefined
    return renamed
  })
  return isTooMuch ? undefined : own
}

type Member = readonly [key: string, part: unknown]

/** Nobody has so many ways to fail. */
const MOST_RENAMED = 100

/**
 * Under names that are free: nothing that a server says is lost to what else it says. Undefined where it says so much in our
 * name that it can only be meant to keep us busy.
 */
function renameMembers(data: Json, isMeant: (member: Member) => boolean, instead: string): Json | undefined {
  const meant = new Set<string>()
  for (const key in data) {
    if (!isMeant([key, data[key]])) continue
    meant.add(key)
    if (meant.size > MOST_RENAMED) return undefined
  }
  if (meant.size === 0) return data
  let number = 0
  const nextFree = (): string => {
    for (;;) {
      number += 1
      const name = number === 1 ? instead : `${instead}_${number}`
      if (!Object.hasOwn(data, name)) return name
    }
  }
  return Object.fromEntries(
    Object.entries(data).map(([key, part]) => [meant.has(key) ? nextFree() : key, part]),
  )
}

/** Some clients take more for true than `true`. */
function isFailure(result: Json): boolean {
  for (const key in result) {
    const value = result[key]
    if (value !== false && value !== null && nameOf(key) === 'iserror') return true
  }
  return false
}

function isRefusal([key, part]: Member): boolean {
  return nameOf(key) === 'error' && isJsonObject(part) && Object.entries(part).some(isCode)
}

/** The codes themselves are read as they are spelt: `OVERLOADED` may be a server's own. */
function isCode([key, code]: Member): boolean {
  return nameOf(key) === 'code' && typeof code === 'string' && CODES.has(seen(code))
}

/** All that a client may take for a refusal of ours. */
const CODES: ReadonlySet<string> = new Set([...REFUSAL_CODES, ...Object.keys(ERRORS)])
