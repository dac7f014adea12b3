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

/** Handled by the corridor itself. */
const PARAMS = new Set(['name', 'arguments', 'requestState', 'inputResponses'])
/** In `_meta`: protocol fields that identify the client and route the answer. */
const ENVELOPE = new Set<string>([...Object.values(META), META_SESSION, 'progressToken', 'traceparent'])
/** Added by tracing along the way; it differs from one request to the next. */
const TRACING = new Set(['tracestate', 'baggage'])

type Convert = (value: unknown) => unknown

const asItIs: Convert = value => value

/**
 * The parameters of a call other than its arguments and the protocol fields. A server may act on any of it, so the approver
 * sees it. Undefined when there is none, which is the usual case.
 */
export function otherParams(params: Json, convert = asItIs): Json | undefined {
  const isKnown = (key: string): boolean => ENVELOPE.has(key) || TRACING.has(key) || RESERVED_META.test(key)
  return collect(params, { isParam: key => PARAMS.has(key), isKnown, convert })
}

/** All parameters other than the arguments that can carry text to the server unseen, including the client's name unless it is plain. */
export function otherParamsForServer(params: Json): Json | undefined {
  return collect(params, { isParam: isHarmless, isKnown: isHarmlessMeta, convert: asItIs })
}

/** A state that the gateway sealed contains only its server's text. */
function isHarmless(key: string, value: unknown): boolean {
  if (key === 'requestState') return typeof value === 'string' && value.startsWith(SEALED_PREFIX)
  return key === 'name' || key === 'arguments'
}

/** These stay in the gateway: where the answer goes, the session's name and the user's task. */
const KEPT_HERE = new Set<string>([META.protocolVersion, META_SESSION, META_TASK, 'progressToken'])
/** Usual client names with a version: guardrails read them once, not with every call. */
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

/** Whether a client declares only a usual name and a version. */
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
 * Removes from an approved call what the approver was not shown. Such parameters may differ between requests, so the
 * approval is not bound to them. A trace keeps its ids, and the client its name and capabilities.
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

/** The part that cannot carry words; undefined when there is none. */
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

/** Only the numbers, rewritten: later revisions of the trace format may append more. */
function keepTrace(value: unknown): string | undefined {
  const context = parseTraceContext(value)
  return context && writeTraceContext(context).traceparent
}

interface Collecting {
  /** Members of the parameters, and of their `_meta`, that are left out. */
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

/** The members that are not left out; allocates only if there are some. */
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
  // Unlike an assignment, this creates an own property for `__proto__` too.
  return picked === undefined ? undefined : Object.fromEntries(picked)
}
