import { type Client, describeUsual } from '../client.ts'
import { joinPath, type Place, underHome } from '../place.ts'

/** One file has what is the user's everywhere, and what is the user's in one project. */
export const claudeCode: Client = {
  id: 'claude-code',
  title: 'Claude Code',
  format: 'json',
  shape: 'object',
  references: 'shell',
  files: place => [
    { scope: 'user', path: userFile(place), block: ['mcpServers'] },
    { scope: 'project', path: joinPath(place, place.cwd, '.mcp.json'), block: ['mcpServers'] },
    { scope: 'local', path: userFile(place), block: ['projects', place.cwd, 'mcpServers'] },
  ],
  speaksHttp: true,
  describeGateway: way => ({ type: way.kind, ...describeUsual(way) }),
  afterwards: 'Start Claude Code again; `claude mcp list` shows the gateway.',
}

function userFile(place: Place): string {
  const folder = place.env.CLAUDE_CONFIG_DIR
  return folder ? joinPath(place, folder, '.claude.json') : underHome(place, '.claude.json')
}
