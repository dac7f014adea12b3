import { type Client, describeUsual } from '../client.ts'
import { joinPath, underHome } from '../place.ts'

export const cursor: Client = {
  id: 'cursor',
  title: 'Cursor',
  format: 'json',
  shape: 'object',
  references: 'editor',
  files: place => [
    { scope: 'user', path: underHome(place, '.cursor', 'mcp.json'), block: ['mcpServers'] },
    { scope: 'project', path: joinPath(place, place.cwd, '.cursor', 'mcp.json'), block: ['mcpServers'] },
  ],
  speaksHttp: true,
  describeGateway: describeUsual,
  afterwards: 'Cursor notices by itself; its settings under MCP show the gateway.',
}
