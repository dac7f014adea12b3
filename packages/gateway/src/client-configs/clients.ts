import { nearest } from '@hintgate/metadata'
import { HintgateError } from '../base/errors.ts'
import type { Json } from '../protocol/messages.ts'
import { joinPath, type Place, underHome, underSettings } from './place.ts'

/**
 * The scope of a client's servers. `user`: all of this user's projects. `project`: everyone who shares the project's
 * file. `local`: this user in this project.
 */
export type ClientScope = 'user' | 'project' | 'local'

export interface ClientFile {
  readonly scope: ClientScope
  readonly path: string
  /** The path of keys that leads to the servers in the file. */
  readonly block: readonly string[]
}

export type GatewayTarget =
  | { readonly kind: 'http'; readonly url: string; readonly token: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }

/**
 * The syntax of references in a client's file: `none`; `shell` for `${NAME}` with an optional `:-default`; `dollar` for
 * `$NAME` and `${NAME}`; `editor` for `${env:NAME}` and the editor's other variables.
 */
export type ReferenceStyle = 'none' | 'shell' | 'dollar' | 'editor'

/** An MCP client, with all properties in which clients differ. */
export interface Client {
  /** The client's name on the command line, which is also the name of its token. */
  readonly id: string
  readonly title: string
  readonly format: 'json' | 'toml'
  /** How the file lists servers: in an object keyed by name, or in an array of servers that each have a `name`. */
  readonly shape: 'object' | 'array'
  readonly references: ReferenceStyle
  readonly files: (place: Place) => readonly ClientFile[]
  /** True if the client supports servers with a URL and headers. */
  readonly speaksHttp: boolean
  readonly describeGateway: (target: GatewayTarget) => Json
  /** What the user must do for the client to use the new entry. */
  readonly afterwards: string
}

const bearer = (token: string): string => `Bearer ${token}`

function describeUsual(target: GatewayTarget): Json {
  if (target.kind === 'stdio') return { command: target.command, args: target.args }
  return { url: target.url, headers: { Authorization: bearer(target.token) } }
}

const USUAL = {
  format: 'json',
  shape: 'object',
  references: 'editor',
  speaksHttp: true,
  describeGateway: describeUsual,
} as const

function user(path: string, block: readonly string[] = ['mcpServers']): ClientFile {
  return { scope: 'user', path, block }
}

function project(
  place: Place,
  path: readonly string[],
  block: readonly string[] = ['mcpServers'],
): ClientFile {
  return { scope: 'project', path: joinPath(place, place.cwd, ...path), block }
}

/** Describes the gateway for a client with these keys for the URL and the headers. */
function naming(url: string, headers = 'headers'): Client['describeGateway'] {
  return target =>
    target.kind === 'http'
      ? { [url]: target.url, [headers]: { Authorization: bearer(target.token) } }
      : describeUsual(target)
}

function userFileOfClaude(place: Place): string {
  const folder = place.env.CLAUDE_CONFIG_DIR
  return folder ? joinPath(place, folder, '.claude.json') : underHome(place, '.claude.json')
}

export const CLIENTS: readonly Client[] = [
  {
    ...USUAL,
    id: 'claude-code',
    title: 'Claude Code',
    references: 'shell',
    // The same file holds servers with user scope and with local scope.
    files: place => [
      user(userFileOfClaude(place)),
      project(place, ['.mcp.json']),
      { ...user(userFileOfClaude(place), ['projects', place.cwd, 'mcpServers']), scope: 'local' },
    ],
    describeGateway: target => ({ type: target.kind, ...describeUsual(target) }),
    afterwards: 'Restart Claude Code; `claude mcp list` then shows the gateway.',
  },
  {
    ...USUAL,
    id: 'claude-desktop',
    title: 'Claude Desktop',
    references: 'none',
    files: place => [user(underSettings(place, 'Claude', 'claude_desktop_config.json'))],
    // The file supports only stdio servers. Servers with a URL are added in the client's settings.
    speaksHttp: false,
    afterwards: 'Quit and restart Claude Desktop.',
  },
  {
    ...USUAL,
    id: 'codex',
    title: 'Codex',
    format: 'toml',
    references: 'none',
    files: place => [
      user(joinPath(place, place.env.CODEX_HOME || underHome(place, '.codex'), 'config.toml'), [
        'mcp_servers',
      ]),
      project(place, ['.codex', 'config.toml'], ['mcp_servers']),
    ],
    describeGateway: naming('url', 'http_headers'),
    afterwards: 'Restart Codex.',
  },
  {
    ...USUAL,
    id: 'cursor',
    title: 'Cursor',
    files: place => [user(underHome(place, '.cursor', 'mcp.json')), project(place, ['.cursor', 'mcp.json'])],
    afterwards: 'Cursor picks up the change and shows the gateway in its settings under MCP.',
  },
  {
    ...USUAL,
    id: 'gemini',
    title: 'Gemini CLI',
    references: 'dollar',
    files: place => [
      user(underHome(place, '.gemini', 'settings.json')),
      project(place, ['.gemini', 'settings.json']),
    ],
    // In Gemini CLI, `url` means the older SSE transport.
    describeGateway: naming('httpUrl'),
    afterwards: 'Restart Gemini CLI; `gemini mcp list` then shows the gateway.',
  },
  {
    ...USUAL,
    // MCPProxy is a gateway too. Its file has an array of servers, and its own `agent_tokens`.
    id: 'mcpproxy',
    title: 'MCPProxy',
    shape: 'array',
    files: place => [user(underHome(place, '.mcpproxy', 'mcp_config.json'))],
    describeGateway: target => ({ ...describeUsual(target), protocol: target.kind, enabled: true }),
    afterwards:
      'MCPProxy picks up the change. If it puts the gateway in quarantine, approve the gateway there.',
  },
  {
    ...USUAL,
    id: 'vscode',
    title: 'VS Code',
    files: place => [
      user(underSettings(place, 'Code', 'User', 'mcp.json'), ['servers']),
      project(place, ['.vscode', 'mcp.json'], ['servers']),
    ],
    describeGateway: target => ({ type: target.kind, ...describeUsual(target) }),
    afterwards: 'In VS Code, run “MCP: List Servers” and start the gateway there.',
  },
  {
    ...USUAL,
    id: 'windsurf',
    title: 'Windsurf',
    files: place => [user(underHome(place, '.codeium', 'windsurf', 'mcp_config.json'))],
    describeGateway: naming('serverUrl'),
    afterwards: "Press “Refresh” in Windsurf's MCP settings.",
  },
]

export const CLIENT_IDS: readonly string[] = CLIENTS.map(({ id }) => id)

/** Finds a client by its id or title, in any spelling, such as `vscode`, `VS Code` or `vs-code`. */
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
