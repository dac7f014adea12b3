import { isJsonObject } from '../protocol/messages.ts'
import { parseTraceContext } from '../protocol/trace-context.ts'

/**
 * The trace that an HTTP request belongs to by its headers, for a message that does not say itself. It is put where
 * messages have it, so that nobody further in needs to know of headers. A batch stays as it is: its messages may belong
 * to different traces.
 */
export function adoptTraceHeader(body: unknown, rawHeaders: readonly string[]): unknown {
  const parent = findHeader(rawHeaders, 'traceparent')
  if (parent === undefined || !isJsonObject(body) || typeof body.method !== 'string') return body
  const params = isJsonObject(body.params) ? body.params : {}
  const meta = isJsonObject(params._meta) ? params._meta : {}
  if (meta.traceparent !== undefined || parseTraceContext(parent) === undefined) return body
  const { state } = parseTraceContext(parent, findHeader(rawHeaders, 'tracestate')) ?? {}
  const trace = { traceparent: parent, ...(state === undefined ? {} : { tracestate: state }) }
  return { ...body, params: { ...params, _meta: { ...meta, ...trace } } }
}

function findHeader(raw: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < raw.length; at += 2)
    if (raw[at]?.length === name.length && raw[at]?.toLowerCase() === name) return raw[at + 1]
  return undefined
}
