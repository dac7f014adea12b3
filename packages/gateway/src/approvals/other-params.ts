import { META_SESSION } from '@hintgate/metadata'
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

/** What the corridor itself looks after. */
const PARAMS = new Set(['name', 'arguments', 'requestState', 'inputResponses'])
/** In `_meta`: what says who asks and where the answer goes. */
const ENVELOPE = new Set<string>([...Object.values(META), META_SESSION, 'progressToken', 'traceparent'])
/** What those who trace add on the way; it differs from one request to the next. */
const TRACING = new Set(['tracestate', 'baggage'])

type Convert = (value: unknown) => unknown

const asItIs: Convert = value => value

/**
 * What a call carries besides its arguments and what the protocol is about: nobody knows what a server makes of it, so it
 * is shown to whoever allows the call. Undefined: nothing, as nearly always.
 */
export function otherParams(params: Json, convert = asItIs): Json | undefined {
  const isKnown = (key: string): boolean => ENVELOPE.has(key) || TRACING.has(key) || RESERVED_META.test(key)
  return collect(params, { isParam: key => PARAMS.has(key), isKnown, convert })
}

/** Everything besides the arguments that can carry a text to the server unseen, the client's own name among it unless it is plain. */
export function carriedParams(params: Json): Json | undefined {
  return collect(params, { isParam: isHarmless, isKnown: isHarmlessMeta, convert: asItIs })
}

/** A state that we sealed says nothing that its server did not. */
function isHarmless(key: string, value: unknown): boolean {
  if (key === 'requestState') return typeof value === 'string' && value.startsWith(SEALED_PREFIX)
  return key === 'name' || key === 'arguments'
}

/** Where the answer goes stays here, and so does what a session is called. */
const KEPT_HERE = new Set<string>([META.protocolVersion, META_SESSION, 'progressToken'])
/** What clients are called, and a version: guardrails read it once, and not with every call. */
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

/** Whether a client says nothing of itself but a usual name and a version. */
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
 * What goes to a server on somebody's word, without what they were not shown: it may differ from one request to the next,
 * so their word is not bound to it either. Of a trace its number is left, and of the client its name and what it can do.
 */
export function withoutUnseen(params: Json): Json {
  const meta = params._meta
  if (!isJsonObject(meta)) return params
  const left = Object.entries(meta).flatMap(([key, value]) => {
    const kept = keepSeen(key, value)
    return kept === undefined ? [] : [[key, kept] as const]
  })
  return { ...params, _meta: Object.fromEntries(left) }
}

/** As far as nobody can put words into it; undefined: not at all. */
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

/** Its numbers, written anew: later revisions of traces may have more behind them. */
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

/** The members that are not left out; no object is made where there are none. */
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
  // Unlike an assignment, this makes an own property of `__proto__`, too.
  return picked === undefined ? undefined : Object.fromEntries(picked)
}
