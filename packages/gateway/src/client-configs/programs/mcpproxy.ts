import { type Client, describeUsual } from '../client.ts'
import { underHome } from '../place.ts'

/** A gateway, too: its servers are a list, and it has `agent_tokens` of its own. */
export const mcpproxy: Client = {
  id: 'mcpproxy',
  title: 'MCPProxy',
  format: 'json',
  shape: 'array',
  references: 'editor',
  files: place => [
    { scope: 'user', path: underHome(place, '.mcpproxy', 'mcp_config.json'), block: ['mcpServers'] },
  ],
  speaksHttp: true,
  describeGateway: way => ({ ...describeUsual(way), protocol: way.kind, enabled: true }),
  afterwards: 'MCPProxy notices by itself; approve the gateway there if it holds it in quarantine.',
}
