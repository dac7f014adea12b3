import { META_SESSION, META_TASK } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import {
  cleanCapabilities,
  cleanClientInfo,
  hasOnlyNames,
  META,
  RESERVED_META,
  readLogLevel,
} from '../protocol/modern.ts'
import { parseTraceContext, writeTraceContext } from '../protocol/trace-context.ts'
import { SEALED_PREFIX } from './seal.ts'

/** The parameters that the gateway itself handles. */
const PARAMS = new Set(['name', 'arguments', 'requestState', 'inputResponses'])
/** The protocol's fields in `_meta` that identify the client and route the answer. */
const ENVELOPE = new Set<string>([...Object.values(META), META_SESSION, 'progressToken', 'traceparent'])
/** The fields that tracing adds on the way; they differ from one request to the next. */
const TRACING = new Set(['tracestate', 'baggage'])

type Convert = (value: unknown) => unknown

const asItIs: Convert = value => value

/**
 * Returns a call's parameters other than its arguments and the protocol's fields. Approvers see them, because a server
 * can act on any of them. Undefined if there are none, which is the usual case.
 */
export function otherParams(params: Json, convert = asItIs): Json | undefined {
  const isKnown = (key: string): boolean => ENVELOPE.has(key) || TRACING.has(key) || RESERVED_META.test(key)
  return collect(params, { isParam: key => PARAMS.has(key), isKnown, convert })
}

/** Returns all parameters other than the arguments that can carry text to the server, such as an unusual client name. */
export function otherParamsForServer(params: Json): Json | undefined {
  return collect(params, { isParam: isHarmless, isKnown: isHarmlessMeta, convert: asItIs })
}

/**
 * True for a parameter that can carry no text from the caller. A state that the gateway sealed contains only text from
 * the server.
 */
function isHarmless(key: string, value: unknown): boolean {
  if (key === 'requestState') return typeof value === 'string' && value.startsWith(SEALED_PREFIX)
  return key === 'name' || key === 'arguments'
}

/** Fields that the gateway does not forward: where the answer goes, the session's name and the user's task. */
const KEPT_HERE = new Set<string>([META.protocolVersion, META_SESSION, META_TASK, 'progressToken'])
/** Patterns of usual client names and versions, which guardrails need not read on every call. */
const PLAIN_INFO: Readonly<Record<string, RegExp>> = {
  name: /^[A-Za-z][A-Za-z _-]{0,23}\d{0,2}$/,
  title: /^[A-Za-z][A-Za-z _-]{0,23}\d{0,2}$/,
  version: /^v?\d{1,4}(?:\.\d{1,5}){0,3}(?:-[a-z]{1,6}\.?\d{0,3})?$/,
}

function isHarmlessMeta(key: string, value: unknown): boolean {
  if (KEPT_HERE.has(key)) return true
  switch (key) {
    case META.clientCapabilities:
      return hasOnlyNames(value)
    case META.clientInfo:
      return isPlainInfo(value)
    default:
      return (key === META.logLevel || key === 'traceparent') && keepSeen(key, value) === value
  }
}

/** True if a client states only a usual name and version about itself. */
export function isPlainInfo(value: unknown): boolean {
  if (!isJsonObject(value)) return false
  for (const key in value) {
    const part = value[key]
    if (!Object.hasOwn(PLAIN_INFO, key) || typeof part !== 'string' || !PLAIN_INFO[key]?.test(part))
      return false
  }
  return true
}

/**
 * Removes from an approved call the parameters that the approver was not shown. The approval is not bound to them,
 * because they can differ between requests. A trace keeps its ids, and the client its name and capabilities.
 */
export function withoutUnshown(params: Json): Json {
  const meta = params._meta
  if (!isJsonObject(meta)) return params
  const left = Object.entries(meta).flatMap(([key, value]) => {
    const kept = keepSeen(key, value)
    return kept === undefined ? [] : [[key, kept] as const]
  })
  return { ...params, _meta: Object.fromEntries(left) }
}

/** Returns the part of a field that cannot contain words, or undefined if every part can. */
function keepSeen(key: string, value: unknown): unknown {
  switch (key) {
    case META.protocolVersion:
    case 'progressToken':
      return value
    case META.clientCapabilities:
      return cleanCapabilities(value)
    case META.clientInfo:
      return cleanClientInfo(value)
    case META.logLevel:
      return readLogLevel(value)
    case 'traceparent':
      return keepTrace(value)
    default:
      return ENVELOPE.has(key) || TRACING.has(key) || RESERVED_META.test(key) ? undefined : value
  }
}

/** Rebuilds a trace from its ids alone, because later revisions of the format might allow text after them. */
function keepTrace(value: unknown): string | undefined {
  const context = parseTraceContext(value)
  return context && writeTraceContext(context).traceparent
}

interface Collecting {
  /** True for a parameter to leave out. `isKnown` does the same for a member of `_meta`. */
  readonly isParam: (key: string, value: unknown) => boolean
  readonly isKnown: (key: string, value: unknown) => boolean
  readonly convert: Convert
}

function collect(params: Json, { isParam, isKnown, convert }: Collecting): Json | undefined {
  const meta = params._meta
  const isObject = isJsonObject(meta)
  const others = pick(params, (key, value) => isParam(key, value) || (key === '_meta' && isObject), convert)
  const rest = isObject ? pick(meta, isKnown, convert) : undefined
  if (rest === undefined) return others
  return { ...others, _meta: rest }
}

/** Returns the members that are not left out, or undefined, without allocating, if all of them are. */
function pick(
  object: Json,
  isLeftOut: (key: string, value: unknown) => boolean,
  convert: Convert,
): Json | undefined {
  let picked: [string, unknown][] | undefined
  for (const key in object) {
    if (isLeftOut(key, object[key])) continue
    picked ??= []
    picked.push([key, convert(object[key])])
  }
  // Unlike an assignment, this also creates an own property for `__proto__`.
  return picked === undefined ? undefined : Object.fromEntries(picked)
}
