import type { Attributes, Span, SpanEvent } from './span.ts'

const KINDS = { internal: 1, server: 2, client: 3 } as const
const UNSET = '{"code":0}'
const ERROR = '{"code":2}'
/** W3C's flag for a trace that is kept, and OTLP's own for where the parent is. */
const LOCAL = 0x101
const REMOTE = 0x301

/**
 * Spans as OTLP has them in JSON, with commas between them. OpenTelemetry's own encoder takes longer for this than the
 * gateway does for the whole call; a test holds what is written here against it.
 */
export function writeSpans(spans: readonly Span[]): string {
  return spans.map(writeSpan).join()
}

function writeSpan(span: Span): string {
  const { parent, state } = span
  return (
    // Ids and kinds are ours; names and values may be anything.
    `{"traceId":"${span.traceId}","spanId":"${span.id}"` +
    (parent === undefined ? '' : `,"parentSpanId":"${parent.id}"`) +
    (state === undefined ? '' : `,"traceState":${JSON.stringify(state)}`) +
    `,"name":${JSON.stringify(span.name)},"kind":${KINDS[span.kind]}` +
    `,"startTimeUnixNano":"${toNanos(span.startMs)}","endTimeUnixNano":"${toNanos(span.endMs)}"` +
    `,"attributes":${writeAttributes(span.attributes)},"droppedAttributesCount":0` +
    `,"events":[${span.events.map(writeEvent).join()}],"droppedEventsCount":0` +
    `,"status":${span.isError ? ERROR : UNSET},"links":[],"droppedLinksCount":0` +
    `,"flags":${parent?.isRemote === true ? REMOTE : LOCAL}}`
  )
}

function writeEvent({ name, atMs, attributes }: SpanEvent): string {
  return (
    `{"attributes":${writeAttributes(attributes)},"name":${JSON.stringify(name)}` +
    `,"timeUnixNano":"${toNanos(atMs)}","droppedAttributesCount":0}`
  )
}

/** Keys as they begin an attribute; there are only a few. */
const openings = new Map<string, string>()

function openAttribute(key: string): string {
  const opening = `{"key":${JSON.stringify(key)},"value":{`
  if (openings.size < 100) openings.set(key, opening)
  return opening
}

function writeAttributes(attributes: Attributes): string {
  let text = ''
  for (const key in attributes) {
    const value = attributes[key]
    if (value === undefined) continue
    text += `${text === '' ? '[' : ','}${openings.get(key) ?? openAttribute(key)}${writeValue(value)}}}`
  }
  return text === '' ? '[]' : `${text}]`
}

function writeValue(value: string | number | boolean): string {
  switch (typeof value) {
    case 'string':
      return `"stringValue":${JSON.stringify(value)}`
    case 'number':
      return Number.isInteger(value) ? `"intValue":${value}` : `"doubleValue":${value}`
    case 'boolean':
      return `"boolValue":${value}`
  }
}

/** Nanoseconds have more digits than a number can hold. */
function toNanos(ms: number): string {
  const whole = Math.floor(ms)
  const rest = Math.floor((ms - whole) * 1e6)
  return `${whole}${String(rest).padStart(6, '0')}`
}

export interface Sender {
  /** Of the process. */
  readonly resource: Attributes
  readonly scope: { readonly name: string; readonly version: string }
}

/** A whole request of spans that are written already. */
export function writeSpanRequest(written: readonly string[], { resource, scope }: Sender): string {
  return (
    `{"resourceSpans":[{"resource":{"attributes":${writeAttributes(resource)},"droppedAttributesCount":0}` +
    `,"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[${written.join()}]}]}]}`
  )
}
