import type { OutcomeEntry } from '../audit/entry.ts'
import type { Forwarded } from '../call/forward.ts'
import type { ServerConfig } from '../config/config.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import { MODERN_VERSION } from '../protocol/modern.ts'
import type { Attributes } from './span.ts'

/** Ids come from the client; a longer one is of no use in a trace. */
const LONGEST_ID = 64

/** Spans are named after existing tools only; a name that a caller made up is kept in the audit log alone. */
export function nameOf(entry: OutcomeEntry | undefined): string {
  return entry?.call.known === undefined ? 'tools/call' : `tools/call ${entry.call.tool}`
}

/**
 * OpenTelemetry's conventions for MCP and tools, and our own names for the rest. Filled in one by one: merging objects
 * would cost more than the rest of the span.
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

/** A short word for the error; undefined when there was none. A question or a cancellation is not an error. */
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

/** The same for every call of a server, so created once. */
const servers = new WeakMap<ServerConfig, Attributes>()

export function forwardAttributes({ server, method, params }: Forwarded): Attributes {
  const known = servers.get(server.config) ?? serverAttributes(server.config)
  servers.set(server.config, known)
  return { 'mcp.method.name': method, 'gen_ai.tool.name': String(params?.name), ...known }
}

/** Only the host of an address: a path or query may contain a secret. */
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
