// The cost of a call through the whole gateway with and without its audit log, compared with the floor.

import { nameTool } from './answers.ts'
import { startContender } from './contenders.ts'
import type { Load, Target } from './load.ts'
import type { LoadProcess } from './load-process.ts'
import { BAR_SHAPE, type Setting, type Shape } from './plan.ts'
import { readUsage } from './process-usage.ts'
import { startGateway } from './start-gateway.ts'
import { median } from './statistics.ts'
import { locate, startUpstreams } from './upstreams.ts'

/** CPU microseconds of one call (by default a write), at a given concurrency. */
export interface CostFigures {
  readonly floorMicros: number
  readonly auditedMicros: number
  readonly unauditedMicros: number
  /** Calls per second with the audit log, by wall clock, with everything else on the same cores. */
  readonly auditedPerSecond: number
}

interface Way {
  readonly name: 'floor' | 'audited' | 'unaudited'
  readonly pid: number
  readonly targets: readonly Target[]
  readonly stop: () => Promise<void>
}

interface Options {
  /** The store of each of the two gateways; default SQLite. */
  readonly storeOf?: (name: 'audited' | 'unaudited') => string
  /** What the calls do; default write. */
  readonly variant?: 'read' | 'write'
  /** Concurrency; default 16. Concurrent calls share a commit. */
  readonly concurrency?: number
}

type Timed = Shape & { readonly milliseconds: number }

const SETTING: Setting = { transport: 'http', era: 'modern', upstreams: 1, tools: 10 }
/** Process starts differ by up to a tenth. */
const STARTS = 3
const ROUNDS = 15
const ROUND_MS = 700
/** V8 keeps optimising the gateway for this long. */
const WARM_UP_MS = 25_000

export async function measureAuditCost(load: LoadProcess, options: Options = {}): Promise<CostFigures> {
  const upstreams = await startUpstreams(SETTING)
  const ways: Way[] = []
  try {
    const floor = await startContender('floor', SETTING, upstreams)
    ways.push({ ...floor, name: 'floor', pid: floor.pid ?? 0 })
    const [url = ''] = upstreams.urls
    // Gateways on a shared database need a shared key.
    for (let start = 0; start < (options.storeOf === undefined ? STARTS : 1); start++)
      ways.push(await startOne('audited', url, options), await startOne('unaudited', url, options))
    return await takeTurns(ways, load, options.concurrency ?? BAR_SHAPE.concurrency)
  } finally {
    await Promise.all(ways.map(way => way.stop()))
    await upstreams.stop()
  }
}

/** The bench's tools are reads, so an override makes them writes. */
async function startOne(
  name: 'audited' | 'unaudited',
  url: string,
  { storeOf, variant = 'write' }: Options,
): Promise<Way> {
  const hints = { readOnlyHint: variant === 'read', destructiveHint: false }
  const tools = Array.from({ length: SETTING.tools }, (_, index) => [nameTool(index), hints])
  const config = {
    mcpServers: { up0: { url, trust: 'trusted' } },
    overrides: { up0: Object.fromEntries(tools) as object },
    confirm: { trifecta: 'off' },
    ...(storeOf !== undefined && { store: storeOf(name) }),
  }
  const node = name === 'audited' ? [] : ['--import', new URL(`file://${locate('audit-off')}`).href]
  const gateway = await startGateway(config, {}, { node, isPlain: true })
  const headers = { authorization: `Bearer ${gateway.token}` }
  return {
    name,
    pid: gateway.pid,
    targets: [{ kind: 'http', url: `${gateway.url}/mcp/servers/up0`, headers }],
    stop: gateway.stop,
  }
}

async function takeTurns(ways: readonly Way[], load: LoadProcess, concurrency: number): Promise<CostFigures> {
  const cpu = new Map<Way['name'], number[]>(ways.map(({ name }) => [name, []]))
  const rates: number[] = []
  const shape = { ...BAR_SHAPE, concurrency }
  for (const way of ways) await callThrough(way, load, { ...shape, milliseconds: WARM_UP_MS })
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of round % 2 === 0 ? ways : ways.toReversed()) {
      const { micros, perSecond } = await callThrough(way, load, { ...shape, milliseconds: ROUND_MS })
      cpu.get(way.name)?.push(micros)
      if (way.name === 'audited') rates.push(perSecond)
    }
  }
  const of = (name: Way['name']): number => median(cpu.get(name) ?? [])
  return {
    floorMicros: of('floor'),
    auditedMicros: of('audited'),
    unauditedMicros: of('unaudited'),
    auditedPerSecond: median(rates),
  }
}

async function callThrough({ name, pid, targets }: Way, load: LoadProcess, shape: Timed) {
  const order: Load = { targets, era: SETTING.era, tools: SETTING.tools, ...shape }
  const before = readUsage(pid).cpuMicros
  const outcome = await load.order({ kind: 'load', load: order })
  if (outcome.firstWrong !== undefined) throw new Error(`${name}: ${outcome.firstWrong}`)
  return {
    micros: (readUsage(pid).cpuMicros - before) / outcome.calls,
    perSecond: (outcome.latencies.length / outcome.milliseconds) * 1000,
  }
}
