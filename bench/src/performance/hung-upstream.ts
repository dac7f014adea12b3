// Does a hung server slow down calls to another one? A stopped process accepts connections and never answers, which is the
// worst way to hang.
import type { Target } from './load.ts'
import type { LoadProcess } from './load-process.ts'
import { startGateway } from './start-gateway.ts'
import { median, percentile } from './statistics.ts'
import { startUpstreams } from './upstreams.ts'

const SETTING = { transport: 'http', era: 'modern', upstreams: 1, tools: 10 } as const
const PAIRS = 10
const ROUND_MS = 600
const PESTERING_CALLS = 32

export interface HungFigures {
  readonly calmP99Micros: number
  readonly hungP99Micros: number
  /** The median ratio of pairs of rounds that ran directly after each other. */
  readonly ratio: number
}

export async function measureHungUpstream(load: LoadProcess): Promise<HungFigures> {
  const lively = await startUpstreams(SETTING)
  const hanging = await startUpstreams(SETTING)
  try {
    const gateway = await startGateway({
      mcpServers: {
        lively: { url: lively.urls[0], trust: 'trusted' },
        hanging: { url: hanging.urls[0], trust: 'trusted' },
      },
    })
    const aim = (name: string): Target => ({
      kind: 'http',
      url: new URL(`/mcp/servers/${name}`, gateway.url).href,
      headers: { authorization: `Bearer ${gateway.token}` },
    })
    try {
      return await comparePairs(load, {
        lively: aim('lively'),
        hanging: aim('hanging'),
        hangingPid: hanging.pid,
      })
    } finally {
      await gateway.stop()
    }
  } finally {
    await Promise.all([lively.stop(), hanging.stop()])
  }
}

interface Pair {
  readonly lively: Target
  readonly hanging: Target
  readonly hangingPid: number
}

async function comparePairs(load: LoadProcess, pair: Pair): Promise<HungFigures> {
  const calm: number[] = []
  const hung: number[] = []
  await readP99(load, pair.lively) // warms up
  for (let round = 0; round < PAIRS; round++) {
    // The order alternates, because the second round has a small advantage.
    const isCalmFirst = round % 2 === 0
    if (isCalmFirst) calm.push(await readP99(load, pair.lively))
    hung.push(await readHungP99(load, pair))
    await waitForQuiet(load)
    if (!isCalmFirst) calm.push(await readP99(load, pair.lively))
  }
  const ratio = median(hung.map((value, round) => value / (calm[round] ?? Number.NaN)))
  return { calmP99Micros: median(calm), hungP99Micros: median(hung), ratio }
}

async function readHungP99(load: LoadProcess, { lively, hanging, hangingPid }: Pair): Promise<number> {
  process.kill(hangingPid, 'SIGSTOP')
  try {
    await load.order({ kind: 'pester', target: hanging, calls: PESTERING_CALLS, era: 'modern' })
    const p99 = await readP99(load, lively)
    const { calls: open } = await load.order({ kind: 'count-pestering' })
    // Without calls that hang there is no load to measure.
    if (open === 0) throw new Error('All calls to the hung server have ended before the measurement.')
    return p99
  } finally {
    process.kill(hangingPid, 'SIGCONT')
  }
}

/** The hung calls all return at once when released; the next round must not include their cost. */
async function waitForQuiet(load: LoadProcess): Promise<void> {
  for (let look = 0; look < 100; look++) {
    const { calls: open } = await load.order({ kind: 'count-pestering' })
    await new Promise(resolve => setTimeout(resolve, 100))
    if (open === 0) return
  }
}

async function readP99(load: LoadProcess, target: Target): Promise<number> {
  const outcome = await load.order({
    kind: 'load',
    load: {
      targets: [target],
      era: 'modern',
      operation: 'call',
      concurrency: 16,
      kb: 0.1,
      tools: 10,
      milliseconds: ROUND_MS,
    },
  })
  if (outcome.firstWrong !== undefined) throw new Error(outcome.firstWrong)
  return percentile([...outcome.latencies], 0.99)
}
