// The cost of a call in a toolset of 200 of 5,000 tools, over the same call at /mcp/direct: one gateway, in turns.
import { type ReplayServer, startReplayServer } from '../hijack/replay-server.ts'
import { readUsage } from './process-usage.ts'
import { writeHeaders } from './requests.ts'
import { type Gateway, startGateway } from './start-gateway.ts'
import { median } from './statistics.ts'

export interface SetsFigures {
  /** `plain`: the set only chooses tools. `presented`: it also renames them, fixes an argument and filters results. */
  readonly kind: 'plain' | 'presented'
  /** CPU microseconds of a call at /mcp/direct. */
  readonly directMicros: number
  /** The ratio within the same round. */
  readonly ratio: number
}

const SERVERS = 5
const TOOLS_PER_SERVER = 1000
const TOOLS_IN_SET = 200
const ROUNDS = 16
const ROUND_MS = 700
const WARM_UP_MS = 18_000
const AT_ONCE = 8
const ARGUMENTS = {
  type: 'object',
  properties: { workspace: { type: 'string' }, text: { type: 'string' } },
}
const RESULT = JSON.stringify({ id: 7, name: 'Ada', notes: ['one', 'two'] })

interface Way {
  readonly path: string
  readonly tool: (at: number) => string
  readonly args: Readonly<Record<string, unknown>>
}

const DIRECT: Way = {
  path: '/mcp/direct',
  tool: at => `up0__tool_${at}`,
  args: { text: 'x', workspace: 'acme' },
}
const WAYS: Readonly<Record<SetsFigures['kind'], Way>> = {
  plain: { ...DIRECT, path: '/mcp/sets/plain' },
  presented: { path: '/mcp/sets/presented', tool: at => `own_${at}`, args: { text: 'x' } },
}

/** One figure for each kind of set. */
export async function measureSets(): Promise<SetsFigures[]> {
  const servers = await Promise.all(Array.from({ length: SERVERS }, startServer))
  const gateway = await start(servers)
  try {
    await untilListed(gateway)
    const figures: SetsFigures[] = []
    for (const kind of ['plain', 'presented'] as const)
      figures.push({ kind, ...(await takeTurns(gateway, WAYS[kind])) })
    return figures
  } finally {
    await gateway.stop()
    await Promise.all(servers.map(server => server.close()))
  }
}

async function startServer(): Promise<ReplayServer> {
  const server = await startReplayServer(
    Array.from({ length: TOOLS_PER_SERVER }, (_, at) => ({
      name: `tool_${at}`,
      description: `Does number ${at}.`,
      inputSchema: ARGUMENTS,
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    })),
  )
  server.prepare({ text: RESULT, isError: false })
  return server
}

function start(servers: readonly ReplayServer[]): Promise<Gateway> {
  const ids = Array.from({ length: TOOLS_IN_SET }, (_, at) => `up0:tool_${at}`)
  const overrides = ids.map((id, at) => [
    id,
    { name: `own_${at}`, description: `Own ${at}.`, arguments: { workspace: 'acme' }, keep: ['/name'] },
  ])
  return startGateway({
    mcpServers: Object.fromEntries(
      servers.map(({ url }, at) => [`up${at}`, { url, trust: 'trusted', concurrency: 64 }]),
    ),
    quarantine: false,
    toolsets: { plain: ids, presented: { select: ids, overrides: Object.fromEntries(overrides) } },
  })
}

async function untilListed(gateway: Gateway): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const { tools = [] } =
      (await ask(gateway, '/mcp/direct', { method: 'tools/list', params: {} })).result ?? {}
    if (tools.length === SERVERS * TOOLS_PER_SERVER) return
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  throw new Error('the servers did not list all tools')
}

async function takeTurns(gateway: Gateway, set: Way): Promise<Pick<SetsFigures, 'directMicros' | 'ratio'>> {
  const ways = [DIRECT, set]
  for (const way of ways) await callThrough(gateway, way, WARM_UP_MS)
  const direct: number[] = []
  const ratios: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const micros = new Map<Way, number>()
    for (const way of round % 2 === 0 ? ways : ways.toReversed())
      micros.set(way, await callThrough(gateway, way, ROUND_MS))
    const [without = Number.NaN, withIt = Number.NaN] = ways.map(way => micros.get(way))
    direct.push(without)
    ratios.push(withIt / without)
  }
  return { directMicros: median(direct), ratio: median(ratios) }
}

/** CPU microseconds of one call. */
async function callThrough(gateway: Gateway, { path, tool, args }: Way, ms: number): Promise<number> {
  const before = readUsage(gateway.pid).cpuMicros
  const endsAt = performance.now() + ms
  let calls = 0
  const callOn = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const params = { name: tool(calls % TOOLS_IN_SET), arguments: args }
      const { result } = await ask(gateway, path, { method: 'tools/call', params })
      if (result === undefined || result.isError === true)
        throw new Error(`a call was not answered: ${JSON.stringify(result)}`)
      calls += 1
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, callOn))
  return (readUsage(gateway.pid).cpuMicros - before) / calls
}

interface Reply {
  readonly result?: { readonly tools?: readonly unknown[]; readonly isError?: boolean }
}

interface Request {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

let id = 0

async function ask({ url, token }: Gateway, path: string, { method, params }: Request): Promise<Reply> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  }
  id += 1
  const name = typeof params.name === 'string' ? params.name : undefined
  const response = await fetch(new URL(path, url), {
    method: 'POST',
    headers: { ...writeHeaders('modern', method, name), authorization: `Bearer ${token}` },
    body: JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta } }),
  })
  const text = await response.text()
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as Reply
}
