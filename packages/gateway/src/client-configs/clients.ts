import { nearest } from '@hintgate/metadata'
import { HintgateError } from '../base/errors.ts'
import type { Json } from '../protocol/messages.ts'
import { joinPath, type Place, underHome, underSettings } from './place.ts'

/**
 * `user`: for everything this person does. `project`: a file in the project, which others may get with it. `local`:
 * for this person in this project.
 */
export type ClientScope = 'user' | 'project' | 'local'

export interface ClientFile {
  readonly scope: ClientScope
  readonly path: string
  /** Where in it the servers are: keys from the root. */
  readonly block: readonly string[]
}

export type Way =
  | { readonly kind: 'http'; readonly url: string; readonly token: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }

/**
 * How a client's file refers to the environment: not at all; `${NAME}` with an optional `:-default` (shell); `$NAME` and
 * `${NAME}` (dollar); `${env:NAME}` beside other words of the editor (editor).
 */
export type ReferenceStyle = 'none' | 'shell' | 'dollar' | 'editor'

/** What is different from client to client; everything else is done once for all of them. */
export interface Client {
  /** What the command line calls it; also the name of its token. */
  readonly id: string
  readonly title: string
  readonly format: 'json' | 'toml'
  /** Servers by name, or a list in which each has a `name`. */
  readonly shape: 'object' | 'array'
  readonly references: ReferenceStyle
  readonly files: (place: Place) => readonly ClientFile[]
  /** Whether it can be given an address and a header. */
  readonly speaksHttp: boolean
  readonly describeGateway: (way: Way) => Json
  /** What has to happen before it uses a new entry. */
  readonly afterwards: string
}

const bearer = (token: string): string => `Bearer ${token}`

function describeUsual(way: Way): Json {
  if (way.kind === 'stdio') return { command: way.command, args: way.args }
  return { url: way.url, headers: { Authorization: bearer(way.token) } }
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

/** For clients with words of their own for an address and its headers. */
function naming(url: string, headers = 'headers'): Client['describeGateway'] {
  return way =>
    way.kind === 'http'
      ? { [url]: way.url, [headers]: { Authorization: bearer(way.token) } }
      : describeUsual(way)
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
    // One file has what is the user's everywhere, and what is the user's in one project.
    files: place => [
      user(userFileOfClaude(place)),
      project(place, ['.mcp.json']),
      { ...user(userFileOfClaude(place), ['projects', place.cwd, 'mcpServers']), scope: 'local' },
    ],
    describeGateway: way => ({ type: way.kind, ...describeUsual(way) }),
    afterwards: 'Start Claude Code again; `claude mcp list` shows the gateway.',
  },
  {
    ...USUAL,
    id: 'claude-desktop',
    title: 'Claude Desktop',
    references: 'none',
    files: place => [user(underSettings(place, 'Claude', 'claude_desktop_config.json'))],
    // Its file names programs only; servers behind an address are added in its settings window.
    speaksHttp: false,
    afterwards: 'Quit Claude Desktop and start it again.',
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
    afterwards: 'Start Codex again.',
  },
  {
    ...USUAL,
    id: 'cursor',
    title: 'Cursor',
    files: place => [user(underHome(place, '.cursor', 'mcp.json')), project(place, ['.cursor', 'mcp.json'])],
    afterwards: 'Cursor notices by itself; its settings under MCP show the gateway.',
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
    // Its `url` means the older transport.
    describeGateway: naming('httpUrl'),
    afterwards: 'Start Gemini CLI again; `gemini mcp list` shows the gateway.',
  },
  {
    ...USUAL,
    // A gateway, too: its servers are a list, and it has `agent_tokens` of its own.
    id: 'mcpproxy',
    title: 'MCPProxy',
    shape: 'array',
    files: place => [user(underHome(place, '.mcpproxy', 'mcp_config.json'))],
    describeGateway: way => ({ ...describeUsual(way), protocol: way.kind, enabled: true }),
    afterwards: 'MCPProxy notices by itself; approve the gateway there if it holds it in quarantine.',
  },
  {
    ...USUAL,
    id: 'vscode',
    title: 'VS Code',
    files: place => [
      user(underSettings(place, 'Code', 'User', 'mcp.json'), ['servers']),
      project(place, ['.vscode', 'mcp.json'], ['servers']),
    ],
    describeGateway: way => ({ type: way.kind, ...describeUsual(way) }),
    afterwards: 'In VS Code run “MCP: List Servers” and start the gateway there.',
  },
  {
    ...USUAL,
    id: 'windsurf',
    title: 'Windsurf',
    files: place => [user(underHome(place, '.codeium', 'windsurf', 'mcp_config.json'))],
    describeGateway: naming('serverUrl'),
    afterwards: 'Press “Refresh” in the MCP settings of Windsurf.',
  },
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
