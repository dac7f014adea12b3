import { pathToFileURL } from 'node:url'
import { later } from './clean-up.ts'
import { peerFile } from './peers.ts'
import type { Json } from './raw-mcp.ts'

/** Common MCP clients, as far as the tests use them; the packages are in test/peers, not in our own lockfile. */

export interface SdkClient {
  connect(transport: unknown): Promise<void>
  listTools(): Promise<{ tools: { name: string; annotations?: Json }[] }>
  callTool(call: { name: string; arguments: Json }, ...rest: unknown[]): Promise<Json>
  listResources(): Promise<{ resources: { uri: string }[] }>
  readResource(params: { uri: string }): Promise<{ contents: Json[] }>
  listPrompts(): Promise<{ prompts: { name: string }[] }>
  getPrompt(params: { name: string; arguments?: Json }): Promise<{ messages: Json[] }>
  complete(params: Json): Promise<{ completion: { values: string[] } }>
  setRequestHandler(method: unknown, handler: (request: { params: Json }) => unknown): void
  setNotificationHandler(method: unknown, handler: () => void): void
  close(): Promise<void>
}

type ClientClass = new (info: { name: string; version: string }, options: Json) => SdkClient
type HttpTransport = new (url: URL, options: Json) => unknown
type StdioTransport = new (options: { command: string; args: string[]; stderr?: string }) => unknown

const load = async <T>(path: string): Promise<T> => (await import(pathToFileURL(peerFile(path)).href)) as T

export interface Generation {
  readonly name: string
  create(options: { capabilities: Json }): Promise<SdkClient>
  http(url: string, token: string): Promise<unknown>
  stdio(command: string, args: string[]): Promise<unknown>
  /** How a handler is registered: by schema in the old SDK, by name in the new one. */
  schema(name: 'elicitation/create' | 'sampling/createMessage' | 'roots/list'): Promise<unknown>
  /** The position of the options in `callTool`. */
  callOptions(options: Json): unknown[]
}

const V1 = '@modelcontextprotocol/sdk/dist/esm'
const SCHEMAS = {
  'elicitation/create': 'ElicitRequestSchema',
  'sampling/createMessage': 'CreateMessageRequestSchema',
  'roots/list': 'ListRootsRequestSchema',
} as const

const info = { name: 'sdk-client', version: '0.0.0' }
const headers = (token: string): Json => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

function closing(client: SdkClient): SdkClient {
  later(() => client.close().catch(() => {}))
  return client
}

export const SDK_V1: Generation = {
  name: 'SDK v1',
  async create(options) {
    const { Client } = await load<{ Client: ClientClass }>(`${V1}/client/index.js`)
    return closing(new Client(info, options))
  },
  async http(url, token) {
    type Module = { StreamableHTTPClientTransport: HttpTransport }
    const { StreamableHTTPClientTransport } = await load<Module>(`${V1}/client/streamableHttp.js`)
    return new StreamableHTTPClientTransport(new URL(url), headers(token))
  },
  async stdio(command, args) {
    const { StdioClientTransport } = await load<{ StdioClientTransport: StdioTransport }>(
      `${V1}/client/stdio.js`,
    )
    return new StdioClientTransport({ command, args, stderr: 'ignore' })
  },
  schema: async name => (await load<Record<string, unknown>>(`${V1}/types.js`))[SCHEMAS[name]],
  callOptions: options => [undefined, options],
}

function secondGeneration(mode: 'legacy' | 'auto'): Generation {
  const V2 = '@modelcontextprotocol/client/dist'
  return {
    name: `SDK v2, ${mode}`,
    async create(options) {
      const { Client } = await load<{ Client: ClientClass }>(`${V2}/index.mjs`)
      return closing(new Client(info, { ...options, versionNegotiation: { mode } }))
    },
    async http(url, token) {
      type Module = { StreamableHTTPClientTransport: HttpTransport }
      const { StreamableHTTPClientTransport } = await load<Module>(`${V2}/index.mjs`)
      return new StreamableHTTPClientTransport(new URL(url), headers(token))
    },
    async stdio(command, args) {
      const { StdioClientTransport } = await load<{ StdioClientTransport: StdioTransport }>(`${V2}/stdio.mjs`)
      return new StdioClientTransport({ command, args, stderr: 'ignore' })
    },
    schema: async name => name,
    callOptions: options => [options],
  }
}

export const SDK_V2_LEGACY = secondGeneration('legacy')
export const SDK_V2_AUTO = secondGeneration('auto')

interface AgentTool {
  execute(args: Json, options: { messages: never[]; toolCallId: string }): Promise<Json>
}

export interface AgentClient {
  tools(): Promise<Readonly<Record<string, AgentTool>>>
  close(): Promise<void>
}

/** The MCP client of the AI SDK, an agent framework. */
export async function connectAgentFramework(url: string, token: string): Promise<AgentClient> {
  type Module = { createMCPClient(config: Json): Promise<AgentClient> }
  const { createMCPClient } = await load<Module>('@ai-sdk/mcp/dist/index.mjs')
  const transport = { type: 'http', url, headers: { authorization: `Bearer ${token}` } }
  const client = await createMCPClient({ transport })
  later(() => client.close().catch(() => {}))
  return client
}
