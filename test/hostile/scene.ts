import { type Gateway, type GatewayConfig, readiness, startGateway } from '../support/gateway.ts'
import type { RunOptions } from '../support/processes.ts'
import { type Json, MODERN, ModernClient } from '../support/raw-mcp.ts'
import { ScriptedServer, type ScriptedTool } from '../support/scripted-server.ts'
import { callsSeenBy, EVERYTHING } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let scenes = 0

/** A gateway with a recording server `s`, and a token with all permissions. */
export interface Scene {
  readonly gateway: Gateway
  readonly witness: Witness
  readonly server: ScriptedServer
  readonly token: string
  /**
   * All calls that have reached the server. A marker call is sent last; once it has arrived, everything before it has
   * as well.
   */
  arrived(): Promise<readonly { readonly name: string; readonly arguments?: Json }[]>
}

export async function play(
  tools: readonly ScriptedTool[],
  config: GatewayConfig = {},
  options: RunOptions = {},
): Promise<Scene> {
  const witness = await openWitness()
  const server = new ScriptedServer(`hostile-${++scenes}`, witness, tools)
  const { mcpServers, ...rest } = config
  const gateway = await startGateway({ ...rest, mcpServers: { s: server.config, ...mcpServers } }, options)
  await gateway.says(readiness('s'))
  const token = await gateway.site.token({ permissions: EVERYTHING })
  const client = new ModernClient(gateway.endpoint('s'), token)
  const arrived = () => callsSeenBy(server.name, witness, mark => client.call('echo', mark))
  return { gateway, witness, server, token, arrived }
}

/** The members of `_meta` that every modern request needs. */
export const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** The header lines of a modern call, for tests that write the body themselves. */
export function modernHeaders(url: string, token: string, name: string): string[] {
  return [
    `Host: ${new URL(url).host}`,
    `Authorization: Bearer ${token}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Mcp-Protocol-Version: ${MODERN}`,
    'Mcp-Method: tools/call',
    `Mcp-Name: ${name}`,
  ]
}
