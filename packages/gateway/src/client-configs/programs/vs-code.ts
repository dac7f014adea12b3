import { type Client, describeUsual } from '../client.ts'
import { joinPath, underSettings } from '../place.ts'

/** Says `servers`, and asks people for what `inputs` names. */
export const vsCode: Client = {
  id: 'vscode',
  title: 'VS Code',
  format: 'json',
  shape: 'object',
  references: 'editor',
  files: place => [
    { scope: 'user', path: underSettings(place, 'Code', 'User', 'mcp.json'), block: ['servers'] },
    { scope: 'project', path: joinPath(place, place.cwd, '.vscode', 'mcp.json'), block: ['servers'] },
  ],
  speaksHttp: true,
  describeGateway: way => ({ type: way.kind, ...describeUsual(way) }),
  afterwards: 'In VS Code run “MCP: List Servers” and start the gateway there.',
}
