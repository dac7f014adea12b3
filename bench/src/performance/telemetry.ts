// The cost of telemetry: the same calls through gateways that differ in nothing else, in turns.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Load, Target } from './load.ts'
import type { LoadProcess } from './load-process.ts'
import { BAR_SHAPE, type Setting } from './plan.ts'
import { readUsage } from './process-usage.ts'
import { startGateway } from './start-gateway.ts'
import { median } from './statistics.ts'
import { startUpstreams } from './upstreams.ts'

export interface TelemetryFigures {
  /** CPU microseconds of a call without telemetry. */
  readonly offMicros: number
  /** The ratio within the same round: with default settings, and with every call traced. */
  readonly onRatio: number
  readonly everyCallRatio: number
  /** With a JSON line for every call. */
  readonly loggedRatio: number
  /** What the collector received from the gateway with default settings, to prove that telemetry was on. */
  readonly receivedBytes: number
}

const SETTING: Setting = { transport: 'http', era: 'modern', upstreams: 1, tools: 10 }
const ROUNDS = 11
const ROUND_MS = 600
/** V8 optimises by the number of calls, which takes longer on a busy machine. */
const WARM_UP_CALLS = 100_000
const WARM_UP_MS = 1000
const WARM_UP_TURNS = 30
const EVERY_CALL = 1_000_000

type Name = 'off' | 'on' | 'every' | 'logged'

interface Way {
  readonly name: Name
  readonly pid: number
  readonly target: Target
  readonly stop: () => Promise<void>
}

export async function measureTelemetry(load: LoadProcess): Promise<TelemetryFigures> {
  const upstreams = await startUpstreams(SETTING)
  const collector = await startCollector()
  const ways: Way[] = []
  try {
    const [upstream = ''] = upstreams.urls
    const otlp = collector.url
    ways.push(await start('off', upstream, {}))
    ways.push(await start('on', upstream, { telemetry: { otlp: `${otlp}/on` } }))
    const every = { otlp: `${otlp}/every`, tracesPerSecond: EVERY_CALL }
    ways.push(await start('every', upstream, { telemetry: every }))
    ways.push(await start('logged', upstream, { log: { format: 'json', level: 'debug' } }))
    const micros = await takeTurns(ways, load)
    const over = (name: Name): number =>
      median(micros[name].map((value, round) => value / (micros.off[round] ?? Number.NaN)))
    return {
      offMicros: median(micros.off),
      onRatio: over('on'),
      everyCallRatio: over('every'),
      loggedRatio: over('logged'),
      receivedBytes: collector.bytesAt('/on/'),
    }
  } finally {
    await Promise.all(ways.map(way => way.stop()))
    await upstreams.stop()
    collector.stop()
  }
}

async function start(name: Name, upstream: string, settings: object): Promise<Way> {
  const up0 = { url: upstream, trust: 'trusted' }
  const { pid, url, token, stop } = await startGateway({ ...settings, mcpServers: { up0 } })
  const headers = { authorization: `Bearer ${token}` }
  return { name, pid, stop, target: { kind: 'http', url: new URL('/mcp/servers/up0', url).href, headers } }
}

/** CPU microseconds per call of each round. */
async function takeTurns(ways: readonly Way[], load: LoadProcess): Promise<Record<Name, number[]>> {
  const micros: Record<Name, number[]> = { off: [], on: [], every: [], logged: [] }
  for (const way of ways) await warmUp(way, load)
  for (let round = 0; round < ROUNDS; round++) {
    // Every other round runs in reverse order, so that no contender always follows the heaviest one.
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) micros[way.name].push(await run(way, load))
  }
  return micros
}

async function warmUp(way: Way, load: LoadProcess): Promise<void> {
  let calls = 0
  for (let turn = 0; turn < WARM_UP_TURNS && calls < WARM_UP_CALLS; turn++)
    calls += await call(way, load, WARM_UP_MS)
}

async function run(way: Way, load: LoadProcess): Promise<number> {
  const before = readUsage(way.pid).cpuMicros
  const calls = await call(way, load, ROUND_MS)
  return (readUsage(way.pid).cpuMicros - before) / calls
}

/** Makes calls for the given time and returns their number. */
async function call({ target }: Way, load: LoadProcess, milliseconds: number): Promise<number> {
  const { era, tools } = SETTING
  const wanted: Load = { targets: [target], era, tools, milliseconds, ...BAR_SHAPE }
  const { firstWrong, calls } = await load.order({ kind: 'load', load: wanted })
  if (firstWrong !== undefined) throw new Error(firstWrong)
  return calls
}

interface Collector {
  readonly url: string
  bytesAt(prefix: string): number
  stop(): void
}

/** Accepts everything and ignores it. */
async function startCollector(): Promise<Collector> {
  const bytes = new Map<string, number>()
  const server: Server = createServer((req, res) => {
    const path = req.url ?? ''
    req.on('data', (chunk: Buffer) => bytes.set(path, (bytes.get(path) ?? 0) + chunk.length))
    req.on('end', () => res.writeHead(200, { 'content-type': 'application/json' }).end('{}'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytesAt: prefix =>
      [...bytes].filter(([path]) => path.startsWith(prefix)).reduce((sum, [, count]) => sum + count, 0),
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
