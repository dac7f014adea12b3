// How much memory do ten thousand legacy sessions leave behind after they have expired?
import type { Load, Target } from './load.ts'
import type { LoadProcess } from './load-process.ts'
import { readUsage } from './process-usage.ts'
import type { Gateway } from './start-gateway.ts'
import { startGateway } from './start-gateway.ts'
import { startUpstreams } from './upstreams.ts'

const SESSIONS = 10_000
const WARMUP_SESSIONS = 1500
const IDLE_MS = 3000
/** Memory is freed by full garbage collections, which V8 runs when it has been mostly idle for some seconds. */
const SETTLE_ROUNDS = 10
const SETTLE_PAUSE_MS = 2500

export interface SessionFigures {
  readonly beforeMegabytes: number
  readonly fullMegabytes: number
  readonly afterMegabytes: number
}

export async function measureAbandonedSessions(load: LoadProcess): Promise<SessionFigures> {
  const upstreams = await startUpstreams({ transport: 'http', era: 'legacy', upstreams: 1, tools: 10 })
  try {
    const limits = { sessions: 2 * SESSIONS, sessionsPerPrincipal: 2 * SESSIONS, sessionIdle: `${IDLE_MS}ms` }
    const gateway = await startGateway({
      mcpServers: { up0: { url: upstreams.urls[0], trust: 'trusted' } },
      limits,
    })
    try {
      return await fillAndSettle(load, gateway)
    } finally {
      await gateway.stop()
    }
  } finally {
    await upstreams.stop()
  }
}

async function fillAndSettle(load: LoadProcess, { url, token, pid }: Gateway): Promise<SessionFigures> {
  const headers = { authorization: `Bearer ${token}` }
  const target: Target = { kind: 'http', url: new URL('/mcp/servers/up0', url).href, headers }
  const readRss = (): number => readUsage(pid).rssMegabytes
  await abandon(load, target, WARMUP_SESSIONS)
  const beforeMegabytes = await settle(load, target, readRss)
  await abandon(load, target, SESSIONS)
  const fullMegabytes = readRss()
  const afterMegabytes = await settle(load, target, readRss)
  return { beforeMegabytes, fullMegabytes, afterMegabytes }
}

async function abandon(load: LoadProcess, target: Target, sessions: number): Promise<void> {
  const { firstWrong } = await load.order({ kind: 'abandon', target, sessions })
  if (firstWrong !== undefined) throw new Error(firstWrong)
}

/** The lowest memory use after the sessions have expired, under constant light load. */
async function settle(load: LoadProcess, target: Target, readRss: () => number): Promise<number> {
  await new Promise(resolve => setTimeout(resolve, IDLE_MS * 1.5))
  const light: Load = {
    targets: [target],
    era: 'legacy',
    operation: 'call',
    concurrency: 4,
    kb: 0.1,
    tools: 10,
    milliseconds: 500,
  }
  const seen: number[] = []
  for (let round = 0; round < SETTLE_ROUNDS; round++) {
    await load.order({ kind: 'load', load: light })
    seen.push(readRss())
    await new Promise(resolve => setTimeout(resolve, SETTLE_PAUSE_MS))
  }
  return Math.min(...seen)
}
