import type { OutcomeEntry } from '../audit/entry.ts'
import type { Forwarded } from '../call/forward.ts'
import type { ServerConfig } from '../config/config.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import { MODERN_VERSION } from '../protocol/modern.ts'
import type { Attributes } from './span.ts'

/** Maximum length of an id in a trace. Clients choose ids, and a longer one would be useless there. */
const LONGEST_ID = 64

/**
 * Returns the name of a call's span. Only a tool that exists is named; a name that a caller made up appears only in the
 * audit log.
 */
export function nameOf(entry: OutcomeEntry | undefined): string {
  return entry?.call.known === undefined ? 'tools/call' : `tools/call ${entry.call.tool}`
}

/**
 * Returns a call's attributes. Their names come from OpenTelemetry's conventions for MCP and tools where there is one,
 * and are Hintgate's own otherwise. They are set one by one, because merging objects would cost more than the rest of
 * the span.
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
  const { known, verdict, door, set } = call
  if (known !== undefined) {
    attributes['gen_ai.tool.name'] = call.tool
    attributes['hintgate.server'] = call.server
    attributes['hintgate.variant'] = known.variant
  }
  attributes['hintgate.door'] = door
  if (set !== undefined) attributes['hintgate.set'] = set
  if (verdict !== undefined) attributes['hintgate.verdict'] = verdict
  attributes['hintgate.outcome'] = outcome
  attributes['hintgate.attempts'] = attempts
  const errorType = errorTypeOf(entry)
  if (errorType !== undefined) attributes['error.type'] = errorType
}

/**
 * Returns a short word for the error; undefined if there was none. A call that asks the caller something or is
 * cancelled is not an error.
 */
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

/** Each server's attributes, created once because every call to the server has the same ones. */
const servers = new WeakMap<ServerConfig, Attributes>()

export function forwardAttributes({ server, method, params }: Forwarded): Attributes {
  const known = servers.get(server.config) ?? serverAttributes(server.config)
  servers.set(server.config, known)
  return { 'mcp.method.name': method, 'gen_ai.tool.name': String(params?.name), ...known }
}

/**
 * Returns a server's attributes. Of its URL, only the host is included, because a path or query can contain a secret.
 */
function serverAttributes({ name, transport }: ServerConfig): Attributes {
  if (transport.kind === 'stdio') return { 'hintgate.server': name, 'network.transport': 'pipe' }
  if (transport.url === undefined) return { 'hintgate.server': name, 'network.transport': 'tcp' }
  const { hostname, port, protocol } = new URL(transport.url)
  return {
    'hintgate.server': name,
    'network.transport': 'tcp',
    'server.address': hostname,
    'server.port': port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port),
  }
}
