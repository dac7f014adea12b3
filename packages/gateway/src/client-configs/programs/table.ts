import { nearest } from '@hintgate/metadata'
import { HintgateError } from '../../base/errors.ts'
import { bearer, type Client, describeUsual } from '../client.ts'
import { joinPath, type Place, underHome, underSettings } from '../place.ts'

/** Says `serverUrl`. */
const windsurf: Client = {
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

/** Says `servers`, and asks people for what `inputs` names. */
const vsCode: Client = {
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

/** A gateway, too: its servers are a list, and it has `agent_tokens` of its own. */
const mcpproxy: Client = {
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

/** Says `httpUrl`; its `url` means the older transport. */
const gemini: Client = {
  id: 'gemini',
  title: 'Gemini CLI',
  format: 'json',
  shape: 'object',
  references: 'dollar',
  files: place => [
    { scope: 'user', path: underHome(place, '.gemini', 'settings.json'), block: ['mcpServers'] },
    { scope: 'project', path: joinPath(place, place.cwd, '.gemini', 'settings.json'), block: ['mcpServers'] },
  ],
  speaksHttp: true,
  describeGateway: way =>
    way.kind === 'http'
      ? { httpUrl: way.url, headers: { Authorization: bearer(way.token) } }
      : describeUsual(way),
  afterwards: 'Start Gemini CLI again; `gemini mcp list` shows the gateway.',
}

const cursor: Client = {
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

/** TOML, and words of its own: `http_headers`, `env_vars`, `bearer_token_env_var`. */
const codex: Client = {
  id: 'codex',
  title: 'Codex',
  format: 'toml',
  shape: 'object',
  references: 'none',
  files: place => [
    { scope: 'user', path: joinPath(place, folderOf(place), 'config.toml'), block: ['mcp_servers'] },
    { scope: 'project', path: joinPath(place, place.cwd, '.codex', 'config.toml'), block: ['mcp_servers'] },
  ],
  speaksHttp: true,
  describeGateway: way =>
    way.kind === 'http'
      ? { url: way.url, http_headers: { Authorization: bearer(way.token) } }
      : describeUsual(way),
  afterwards: 'Start Codex again.',
}

function folderOf(place: Place): string {
  return place.env.CODEX_HOME || underHome(place, '.codex')
}

/** Its file names programs only; servers behind an address are added in its settings window. */
const claudeDesktop: Client = {
  id: 'claude-desktop',
  title: 'Claude Desktop',
  format: 'json',
  shape: 'object',
  references: 'none',
  files: place => [
    {
      scope: 'user',
      path: underSettings(place, 'Claude', 'claude_desktop_config.json'),
      block: ['mcpServers'],
    },
  ],
  speaksHttp: false,
  describeGateway: describeUsual,
  afterwards: 'Quit Claude Desktop and start it again.',
}

/** One file has what is the user's everywhere, and what is the user's in one project. */
const claudeCode: Client = {
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

export const CLIENTS: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  codex,
  cursor,
  gemini,
  mcpproxy,
  vsCode,
  windsurf,
]

export const CLIENT_IDS: readonly string[] = CLIENTS.map(({ id }) => id)

/** By its name, however it is spelt: `vscode`, `VS Code`, `vs-code`. */
export function findClient(name: string): Client {
  const wanted = plain(name)
  const found = CLIENTS.find(({ id, title }) => plain(id) === wanted || plain(title) === wanted)
  if (found !== undefined) return found
  const meant = nearest(name.toLowerCase(), CLIENT_IDS)
  throw new HintgateError('client_unknown', {
    name: name.slice(0, 80),
    known: CLIENT_IDS,
    ...(meant && { meant }),
  })
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '')
}
