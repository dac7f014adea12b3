// Runs a plan. Contenders take turns within a round, so that other work on the machine affects all of them alike.
import type { Contender, Peer } from './contenders.ts'
import { listContenders, startContender, usePeer } from './contenders.ts'
import type { Load, Outcome } from './load.ts'
import type { LoadProcess } from './load-process.ts'
import type { Block, Setting, Shape } from './plan.ts'
import { BAR_SHAPE, describeSetting } from './plan.ts'
import { readUsage } from './process-usage.ts'
import { median, percentile } from './statistics.ts'
import { startUpstreams } from './upstreams.ts'

export interface Pace {
  readonly rounds: number
  readonly milliseconds: number
  /** The first limit reached ends the round. */
  readonly warmupMs: number
  readonly warmupCalls: number
}

export interface Figures {
  readonly setting: Setting
  readonly shape: Shape
  readonly contender: string
  readonly result: Result
}

type Result =
  | { readonly kind: 'failed'; readonly why: string }
  | {
      readonly kind: 'measured'
      /** CPU time of the proxy and its children; absent for a direct connection. */
      readonly cpuMicros?: number
      readonly rssMegabytes?: number
      readonly p50Micros: number
      readonly p99Micros: number
      readonly callsPerSecond: number
      readonly calls: number
    }

interface Bench {
  readonly load: LoadProcess
  readonly pace: Pace
  readonly peers: readonly Peer[]
  readonly say: (text: string) => void
}

/** Cells that have bars are measured more often. */
const EXTRA_BAR_ROUNDS = 12
/**
 * V8's optimisations differ by up to a tenth between process starts. Contenders in cells with bars are started several times,
 * and their total counts.
 */
const STARTS: ReadonlyMap<string, number> = new Map([
  ['floor', 3],
  ['hintgate', 3],
  ['hintgate-loaded', 3],
])

interface Round {
  readonly outcome: Outcome
  readonly cpuMicros: number
}

export async function measureBlock({ setting, shapes }: Block, bench: Bench): Promise<Figures[]> {
  bench.say(`measuring ${describeSetting(setting)}`)
  const upstreams = await startUpstreams(setting)
  const figures: Figures[] = []
  const ready: Contender[] = []
  try {
    for (const name of listContenders(setting).flatMap(repeat)) {
      const found = await prepare(() => startContender(name, setting, upstreams), setting, bench)
      if ('why' in found)
        figures.push(...shapes.map(shape => fail({ setting, shape, contender: name }, found.why)))
      else ready.push(found)
    }
    const peers = setting.transport === 'http' && setting.upstreams === 1 ? bench.peers : []
    for (const peer of peers) {
      const found = await prepare(async () => usePeer(peer), setting, bench)
      if (!('why' in found)) ready.push(found)
    }
    for (const shape of shapes) figures.push(...(await measureCell(setting, shape, ready, bench)))
    return figures
  } finally {
    await Promise.all(ready.map(contender => contender.stop()))
    await upstreams.stop()
  }
}

function repeat(name: string): string[] {
  return Array.from({ length: STARTS.get(name) ?? 1 }, () => name)
}

/** Starts and warms up a contender. One that answers wrongly is excluded. */
async function prepare(
  start: () => Promise<Contender>,
  setting: Setting,
  { load, pace }: Bench,
): Promise<Contender | { readonly why: string }> {
  let contender: Contender | undefined
  try {
    contender = await start()
    await warmUp(contender, setting, { load, pace })
    return contender
  } catch (error) {
    await contender?.stop()
    return { why: error instanceof Error ? error.message : String(error) }
  }
}

/** V8 optimises by the number of calls, so a slow proxy needs a longer warm-up. */
async function warmUp(contender: Contender, setting: Setting, { load, pace }: Pick<Bench, 'load' | 'pace'>) {
  const startedAt = performance.now()
  let calls = 0
  for (const concurrency of [1, 16, 16, 16, 16, 16, 16, 16, 16]) {
    const shape = { operation: 'call', concurrency, kb: 0.1 } as const
    const milliseconds = concurrency === 1 ? 1 : pace.warmupMs / 8
    const outcome = await load.order({ kind: 'load', load: aim(contender, setting, shape, milliseconds) })
    if (outcome.firstWrong !== undefined) throw new Error(outcome.firstWrong)
    calls += outcome.calls
    if (calls > pace.warmupCalls || performance.now() - startedAt > pace.warmupMs) return
  }
}

async function measureCell(
  setting: Setting,
  shape: Shape,
  contenders: readonly Contender[],
  { load, pace }: Bench,
): Promise<Figures[]> {
  const rounds = new Map<string, Round[]>(contenders.map(({ name }) => [name, []]))
  const count = shape === BAR_SHAPE ? pace.rounds + EXTRA_BAR_ROUNDS : pace.rounds
  for (let round = 0; round < count; round++) {
    // Every other round runs in reverse order, so that no contender always follows the heaviest one.
    const order = round % 2 === 0 ? contenders : contenders.toReversed()
    for (const contender of order) {
      const before = contender.pid === undefined ? 0 : readUsage(contender.pid).cpuMicros
      const outcome = await load.order({
        kind: 'load',
        load: aim(contender, setting, shape, pace.milliseconds),
      })
      const after = contender.pid === undefined ? 0 : readUsage(contender.pid).cpuMicros
      rounds.get(contender.name)?.push({ outcome, cpuMicros: (after - before) / outcome.calls })
    }
  }
  return [...rounds].map(([name, done]) => ({
    setting,
    shape,
    contender: name,
    result: summarise(done, contenders.find(contender => contender.name === name)?.pid),
  }))
}

function summarise(rounds: readonly Round[], pid: number | undefined): Result {
  const wrong = rounds.find(({ outcome }) => outcome.wrong > 0)?.outcome
  if (wrong !== undefined) return { kind: 'failed', why: wrong.firstWrong ?? 'wrong answers' }
  const usage =
    pid === undefined
      ? {}
      : {
          cpuMicros: median(rounds.map(round => round.cpuMicros)),
          rssMegabytes: readUsage(pid).rssMegabytes,
        }
  return {
    kind: 'measured',
    ...usage,
    p50Micros: median(rounds.map(({ outcome }) => percentile([...outcome.latencies], 0.5))),
    p99Micros: median(rounds.map(({ outcome }) => percentile([...outcome.latencies], 0.99))),
    callsPerSecond: median(
      rounds.map(({ outcome }) => (outcome.latencies.length / outcome.milliseconds) * 1000),
    ),
    calls: rounds.reduce((sum, { outcome }) => sum + outcome.calls, 0),
  }
}

function aim({ targets }: Contender, { era, tools }: Setting, shape: Shape, milliseconds: number): Load {
  return { targets, era, tools, milliseconds, ...shape }
}

function fail(cell: Omit<Figures, 'result'>, why: string): Figures {
  return { ...cell, result: { kind: 'failed', why } }
}
