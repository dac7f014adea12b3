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

/** Returns a text without its invisible characters, because they can be removed later. Most texts contain none. */
const seen = (text: string): string => (IS_SEEN.test(text) ? text : text.replaceAll(UNSEEN, ''))

/**
 * Removes from a server's result everything that only the gateway is allowed to say: reserved fields, refusals and
 * questions in the gateway's name. Also removes questions that a legacy server cannot ask. Returns undefined if the
 * result imitates a question or a refusal from the gateway.
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
  /** The number of times that the call was sent. */
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

/** Removes reserved fields from a server's notification. */
export function saidInOwnVoice(said: Json): Json {
  return withoutReserved(mapMembers(said, cleanTop))
}

/**
 * Removes reserved fields from a server's question. Returns undefined if it imitates one of the gateway's questions.
 */
export function askedInOwnVoice(said: Json): Json | undefined {
  return looksLikeOurs([said]) || asksAsGateway(said) ? undefined : saidInOwnVoice(said)
}

/**
 * Renames the gateway's own codes in a server's error. These codes tell clients that the gateway refused a request that
 * is not a tool call.
 */
function withoutCode(data: unknown): unknown {
  return isJsonObject(data) ? renameMembers(data, isCode, 'server_code') : data
}

/**
 * Whether a result asks in the gateway's name. This counts even if the result is not declared as a question, because
 * some clients accept other spellings of names.
 */
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

/**
 * Removes reserved fields from a member of a result. The tool's own data stays as it is, because no field in it is
 * reserved.
 */
function cleanMember(key: string, part: unknown): unknown {
  return key === 'structuredContent' ? part : cleanTop(key, part)
}

function cleanTop(key: string, part: unknown): unknown {
  if (!isJsonObject(part) || nameOf(key) !== 'inputrequests') return cleanPart(key, part)
  return mapMembers(part, (_, request) =>
    isJsonObject(request) ? mapMembers(request, cleanRequest) : cleanPart('', request),
  )
}

/** Cleans a request inside a result in the same way as a separate question. */
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

/** Changes the members of an object. Returns the same object if nothing changes, which is the usual case. */
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

/** The new name for a server's field that has a reserved name. If the new name is also taken, a number is added. */
const SERVER_ERROR = 'server_error'

/**
 * Renames those fields of a server's failure that look like a refusal. Clients read `error` and its code in a result,
 * so only the gateway is allowed to set them. The server's data is kept under a different name.
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

/** Maximum number of members to rename. Having more of them serves no legitimate purpose. */
const MOST_RENAMED = 100

/**
 * Gives members new names that are not in use, so that none of the server's data is lost. Returns undefined if so many
 * members use reserved names that their only purpose can be to take time.
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

/** Whether a client could read the result as a failure. Some clients accept values other than `true` as true. */
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

/**
 * Whether a member has one of the gateway's codes. The spelling must match exactly, because `OVERLOADED` could be a
 * server's own code.
 */
function isCode([key, code]: Member): boolean {
  return nameOf(key) === 'code' && typeof code === 'string' && CODES.has(seen(code))
}

/** All codes that a client could take for a refusal by the gateway. */
const CODES: ReadonlySet<string> = new Set([...REFUSAL_CODES, ...Object.keys(ERRORS)])
