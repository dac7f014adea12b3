import type { OutcomeEntry } from '../audit/entry.ts'
import type { Forwarded } from '../call/forward.ts'
import type { ServerConfig } from '../config/config.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import { MODERN_VERSION } from '../protocol/modern.ts'
import type { Attributes } from './span.ts'

/** The most characters of an id; ids come from the client, and a longer one is useless in a trace. */
const LONGEST_ID = 64

/** Names a span, only after an existing tool; a name that a caller made up is only in the audit log. */
export function nameOf(entry: OutcomeEntry | undefined): string {
  return entry?.call.known === undefined ? 'tools/call' : `tools/call ${entry.call.tool}`
}

/**
 * Returns attributes under the names of OpenTelemetry's conventions for MCP and tools, and under Hintgate's own names
 * for the rest. They are set one by one, because merging objects would cost more than the rest of the span.
 */
export function callAttributes({ exchange }: IncomingCall, entry: OutcomeEntry | undefined): Attributes {
  const { requestId, id, caller } = exchange
  const attributes: Record<string, string | number> = {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'hintgate.request.id': requestId,
    'hintgate.principal': caller.principal.id,
  }
  if (caller.era === 'modern') attributes['mcp.protocol.version'] = MODERN_VERSION
  const idText = String(id)
  if (idText.length <= LONGEST_ID) attributes['jsonrpc.request.id'] = idText
  if (entry !== undefined) addOutcome(attributes, entry)
  return attributes
}

function addOutcome(attributes: Record<string, string | number>, entry: OutcomeEntry): void {
  const { call, outcome, attempts } = entry
  const { known, verdict, door } = call
  if (known !== undefined) {
    attributes['gen_ai.tool.name'] = call.tool
    attributes['hintgate.server'] = call.server
    attributes['hintgate.variant'] = known.variant
  }
  attributes['hintgate.door'] = door
  if (verdict !== undefined) attributes['hintgate.verdict'] = verdict
  attributes['hintgate.outcome'] = outcome
  attributes['hintgate.attempts'] = attempts
  const errorType = errorTypeOf(entry)
  if (errorType !== undefined) attributes['error.type'] = errorType
}

/** Returns a short word for the error; undefined if there was none. A question or a cancellation is not an error. */
export function errorTypeOf({ outcome, code }: OutcomeEntry): string | undefined {
  switch (outcome) {
    case 'answered':
    case 'asked':
    case 'cancelled':
      return undefined
    case 'tool_error':
      return 'tool_error'
    default:
      return code ?? outcome
  }
}

/** The attributes of each server, created once because they are the same for every call. */
const servers = new WeakMap<ServerConfig, Attributes>()

export function forwardAttributes({ server, method, params }: Forwarded): Attributes {
  const known = servers.get(server.config) ?? serverAttributes(server.config)
  servers.set(server.config, known)
  return { 'mcp.method.name': method, 'gen_ai.tool.name': String(params?.name), ...known }
}

/** Returns a server's attributes, with only the host of its URL, because a path or query may contain a secret. */
function serverAttributes({ name, transport }: ServerConfig): Attributes {
  if (transport.kind === 'stdio') return { 'hintgate.server': name, 'network.transport': 'pipe' }
  const { hostname, port, protocol } = new URL(transport.url)
  return {
    'hintgate.server': name,
    'network.transport': 'tcp',
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  }
}
