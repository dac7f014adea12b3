import { META_SESSION } from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { LOG_LEVELS, META, RESERVED_META } from '../protocol/modern.ts'
import { parseTraceContext, writeTraceContext } from '../telemetry/trace-context.ts'

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
  return collect(params, key => ENVELOPE.has(key) || TRACING.has(key) || RESERVED_META.test(key), convert)
}

/** Everything besides the arguments that can carry a text to the server unseen. */
export function carriedParams(params: Json): Json | undefined {
  return collect(params, key => ENVELOPE.has(key), asItIs)
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
      return keepCapabilities(value)
    case META.clientInfo:
      return isJsonObject(value) ? { name: cut(value.name), version: cut(value.version) } : undefined
    case META.logLevel:
      return typeof value === 'string' && LOG_LEVELS.includes(value) ? value : undefined
    case 'traceparent':
      return keepTrace(value)
    default:
      return ENVELOPE.has(key) || TRACING.has(key) || RESERVED_META.test(key) ? undefined : value
  }
}

/** Names of capabilities in capabilities, and nothing else. */
function keepCapabilities(value: unknown): unknown {
  if (typeof value === 'boolean') return value
  if (!isJsonObject(value)) return undefined
  const known = Object.entries(value).filter(([key]) => CAPABILITIES.has(key))
  return Object.fromEntries(known.map(([key, part]) => [key, keepCapabilities(part)]))
}

const CAPABILITIES: ReadonlySet<string> = new Set([
  ...['roots', 'listChanged', 'sampling', 'tools', 'context', 'elicitation', 'form', 'url', 'applyDefaults'],
  ...['tasks', 'list', 'cancel', 'requests', 'create', 'createMessage'],
])
const LONG_NAME = 64

/** Its numbers, written anew: later revisions of traces may have more behind them. */
function keepTrace(value: unknown): string | undefined {
  const context = parseTraceContext(value)
  return context && writeTraceContext(context).traceparent
}

function cut(text: unknown): string {
  return typeof text === 'string' ? text.slice(0, LONG_NAME) : ''
}

function collect(params: Json, isKnown: (key: string) => boolean, convert: Convert): Json | undefined {
  const meta = params._meta
  const isObject = isJsonObject(meta)
  const others = pick(params, key => PARAMS.has(key) || (key === '_meta' && isObject), convert)
  const rest = isObject ? pick(meta, isKnown, convert) : undefined
  if (rest === undefined) return others
  return { ...others, _meta: rest }
}

/** The members that are not left out; no object is made where there are none. */
function pick(object: Json, isLeftOut: (key: string) => boolean, convert: Convert): Json | undefined {
  let picked: [string, unknown][] | undefined
  for (const key in object) {
    if (isLeftOut(key)) continue
    picked ??= []
    picked.push([key, convert(object[key])])
  }
  // Unlike an assignment, this makes an own property of `__proto__`, too.
  return picked === undefined ? undefined : Object.fromEntries(picked)
}
