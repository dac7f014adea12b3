import { REFUSAL_CODES } from '@hintgate/metadata'
import { FORM_KEY, looksLikeOurs } from '../approvals/form.ts'
import { SEALED_PREFIX } from '../approvals/seal.ts'
import { ERRORS } from '../base/errors.ts'
import { isJsonObject, type Json, type RpcError } from '../protocol/messages.ts'
import { nameOf, withoutReserved } from '../protocol/name-of.ts'
import type { Era } from '../store/store.ts'

const META_NOTES = 'io.hintgate/notes'

const META_ATTEMPTS = 'io.hintgate/attempts'

const UNSEEN = /[^ -~]/g

const IS_SEEN = /^[ -~]*$/

/** Without invisible characters, which may be stripped later. Most text has none. */
const seen = (text: string): string => (IS_SEEN.test(text) ? text : text.replaceAll(UNSEEN, ''))

/**
 * Removes reserved fields, refusals and questions in the gateway's name from a server's result, and questions that a
 * legacy server cannot ask. Undefined when the result imitates a question or refusal of the gateway.
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

export interface OwnRemarks {
  /** How often the call was sent. */
  readonly attempts: number
  readonly notes: readonly string[]
}

/** Adds the gateway's own remarks about a result. Most results get none and stay the same object. */
export function withOwnRemarks(result: Json, { attempts, notes }: OwnRemarks): Json {
  if (attempts <= 1 && notes.length === 0) return result
  const meta = {
    ...(isJsonObject(result._meta) ? result._meta : {}),
    ...(attempts > 1 ? { [META_ATTEMPTS]: attempts } : {}),
    ...(notes.length > 0 ? { [META_NOTES]: notes } : {}),
  }
  return { ...result, _meta: meta }
}

/** A notification of a server without reserved fields. */
export function saidInOwnVoice(said: Json): Json {
  return withoutReserved(mapMembers(said, cleanTop))
}

/** The same for a question, or for all questions in a result. Undefined when it imitates a question of the gateway. */
export function askedInOwnVoice(said: Json): Json | undefined {
  return looksLikeOurs([said]) || asksAsGateway(said) ? undefined : saidInOwnVoice(said)
}

/** Clients recognise our refusals of other requests than tool calls by these codes. */
function withoutCode(data: unknown): unknown {
  return isJsonObject(data) ? renameMembers(data, isCode, 'server_code') : data
}

/** Checked even when the result is not declared as a question, because a client that reads names loosely may see one. */
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

/** Removes reserved fields wherever the protocol has a place for them. */
function withoutRemarks(result: Json): Json {
  return mapMembers(result, cleanMember)
}

/** Tool data has no reserved fields. */
function cleanMember(key: string, part: unknown): unknown {
  return key === 'structuredContent' ? part : cleanTop(key, part)
}

function cleanTop(key: string, part: unknown): unknown {
  if (!isJsonObject(part) || nameOf(key) !== 'inputrequests') return cleanPart(key, part)
  return mapMembers(part, (_, request) =>
    isJsonObject(request) ? mapMembers(request, cleanRequest) : cleanPart('', request),
  )
}

/** A request inside a result is treated like a question by itself. */
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

/** Returns the same object when nothing changes, which is the usual case. */
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

/** The prefix for server fields that use a reserved name. */
const SERVER_ERROR = 'server_error'

/**
 * Only the gateway may report a refusal with its remedy: clients read `error` and its code in a result. A server may
 * report the same under another name.
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

/** More of these have no legitimate use. */
const MOST_RENAMED = 100

/**
 * Renames members to free names, so that nothing of the server's data is lost. Undefined when so many use reserved
 * names that the purpose can only be to cost time.
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

/** Some clients accept more than `true` as true. */
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

/** Codes are compared as spelt: `OVERLOADED` may be a server's own. */
function isCode([key, code]: Member): boolean {
  return nameOf(key) === 'code' && typeof code === 'string' && CODES.has(seen(code))
}

/** Everything that a client may take for our refusal. */
const CODES: ReadonlySet<string> = new Set([...REFUSAL_CODES, ...Object.keys(ERRORS)])
