import { bearer, type Client, describeUsual } from '../client.ts'
import { underHome } from '../place.ts'

/** Says `serverUrl`. */
export const windsurf: Client = {
  id: 'windsurf',
  title: 'Windsurf',
  format: 'json',
  shape: 'object',
  references: 'editor',
  files: place => [
    {
      scope: 'user',
      path: underHome(place, '.codeium', 'windsurf', 'mcp_config.json'),
      block: ['mcpServers'],
    },
  ],
  speaksHttp: true,
  describeGateway: way =>
    way.kind === 'http'
      ? { serverUrl: way.url, headers: { Authorization: bearer(way.token) } }
      : describeUsual(way),
  afterwards: 'Press “Refresh” in the MCP settings of Windsurf.',
}
