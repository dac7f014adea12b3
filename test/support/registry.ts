import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { later } from './clean-up.ts'

const OFFICIAL = 'io.modelcontextprotocol.registry/official'

export interface RegistryEntry {
  readonly name: string
  readonly version: string
  readonly [key: string]: unknown
}

/** Entries as their authors published them, for packages that the tests have installed. */
export const REAL_ENTRIES: readonly RegistryEntry[] = [
  {
    name: 'io.github.upstash/context7',
    title: 'Context7',
    description: 'Up-to-date code docs for any prompt',
    repository: { url: 'https://github.com/upstash/context7', source: 'github' },
    version: '4.1.1',
    packages: [
      {
        registryType: 'npm',
        identifier: '@upstash/context7-mcp',
        version: '4.1.1',
        transport: { type: 'stdio' },
        environmentVariables: [
          {
            name: 'CONTEXT7_API_KEY',
            description: 'API key for authentication',
            isRequired: false,
            format: 'string',
            isSecret: true,
          },
        ],
      },
    ],
  },
  {
    name: 'io.github.modelcontextprotocol/server-everything',
    description: 'MCP server that exercises all the features of the MCP protocol',
    repository: { url: 'https://github.com/modelcontextprotocol/servers', source: 'github' },
    version: '2026.8.31',
    packages: [
      {
        registryType: 'npm',
        identifier: '@modelcontextprotocol/server-everything',
        version: '2026.8.31',
        runtimeHint: 'npx',
        transport: { type: 'stdio' },
        packageArguments: [{ type: 'positional', value: 'stdio' }],
      },
    ],
  },
]

/** A registry on this machine that answers as the official one does. */
export async function startRegistry(entries: readonly RegistryEntry[], prefix = '/v0.1') {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    const found = answer(new URL(request.url ?? '/', 'http://x'), entries, prefix)
    response.writeHead(found === undefined ? 404 : 200, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(found ?? { title: 'Not Found', status: 404 }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  later(() => server.close())
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

function answer({ pathname, searchParams }: URL, entries: readonly RegistryEntry[], prefix: string) {
  if (!pathname.startsWith(`${prefix}/servers`)) return undefined
  const path = pathname.slice(prefix.length)
  const [, name, version] = /^\/servers\/([^/]+)\/versions\/([^/]+)$/.exec(path) ?? []
  if (name === undefined) {
    const word = searchParams.get('search') ?? ''
    const found = entries.filter(entry => entry.name.includes(word))
    return { servers: found.map(wrap), metadata: { count: found.length } }
  }
  const wanted = decodeURIComponent(name)
  const entry = entries.find(
    one => (one.asked ?? one.name) === wanted && (version === 'latest' || version === one.version),
  )
  return entry && wrap(entry)
}

function wrap({ status = 'active', asked, ...server }: RegistryEntry) {
  return { server, _meta: { [OFFICIAL]: { status, publishedAt: '2026-09-01T10:00:00Z', isLatest: true } } }
}
