import type { Overview } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Handlers } from '../http/handler.ts'
import { listAlerts } from '../views/alerts.ts'
import { addCounts, CallStatistics, emptyCounts, type Minute, percentiles } from '../views/call-statistics.ts'
import type { ToolTable } from '../views/tool-table.ts'
import { findWaiting } from './review.ts'

const MINUTE = 60_000
const WINDOWS = {
  '1h': { ms: 60 * MINUTE, bucketMs: MINUTE },
  '24h': { ms: 24 * 60 * MINUTE, bucketMs: 15 * MINUTE },
  '7d': { ms: 7 * 24 * 60 * MINUTE, bucketMs: 120 * MINUTE },
} as const

const MOST_SEEN = 1000

/** What is going on, at a glance. */
export function createOverviewHandlers(
  deps: AdminDeps,
  tools: ToolTable,
): Pick<Handlers, 'overview' | 'welcome'> {
  const { store } = deps
  const statistics = new CallStatistics(store.audit, Date.now)
  const countPending = async (now: number): Promise<number> =>
    (await store.approvals.list({ now, states: ['pending'] })).length
  return {
    async overview({ query: { window = '24h' } }) {
      const now = Date.now()
      const { ms, bucketMs } = WINDOWS[window]
      const start = Math.floor((now - ms) / bucketMs) * bucketMs + bucketMs
      const minutes = await statistics.since(start)
      const [p50, p95, p99] = percentiles(
        minutes.map(([, minute]) => minute),
        [0.5, 0.95, 0.99],
      )
      const table = await tools.load()
      return {
        window,
        bucketMs,
        ...sumUp(minutes, { start, end: now, bucketMs }),
        isCut: statistics.isCut,
        latency: {
          ...(p50 === undefined ? {} : { p50 }),
          ...(p95 === undefined ? {} : { p95 }),
          ...(p99 === undefined ? {} : { p99 }),
        },
        servers: countServers(deps),
        waiting: { approvals: await countPending(now), tools: findWaiting(table).length },
        alerts: await listAlerts(deps, table),
      }
    },
    async welcome() {
      const { config } = deps
      const stored = await store.tokens.list()
      const agents = new Set([
        ...config()
          .agentTokens.filter(({ token }) => token !== undefined)
          .map(({ name }) => name),
        ...stored
          .filter(({ kind, revokedAt }) => kind === 'agent' && revokedAt === undefined)
          .map(({ name }) => name),
      ])
      return {
        servers: config().servers.length,
        waiting: findWaiting(await tools.load()).length,
        agents: agents.size,
        callsSeen: (await store.audit.query({ limit: MOST_SEEN })).calls.length,
      }
    },
  }
}

interface Window {
  readonly start: number
  readonly end: number
  readonly bucketMs: number
}

/** Buckets without a call are there, too: a line through them would lie. */
function sumUp(
  minutes: readonly (readonly [at: number, minute: Minute])[],
  { start, end, bucketMs }: Window,
): Pick<Overview, 'buckets' | 'totals'> {
  const buckets = new Map<number, ReturnType<typeof emptyCounts>>()
  for (let at = start; at <= end; at += bucketMs) buckets.set(at, emptyCounts())
  const totals = emptyCounts()
  for (const [at, minute] of minutes) {
    const bucket = buckets.get(start + Math.floor((at - start) / bucketMs) * bucketMs)
    if (bucket !== undefined) addCounts(bucket, minute)
    addCounts(totals, minute)
  }
  return { buckets: [...buckets].map(([at, { calls: _, ...counts }]) => ({ at, ...counts })), totals }
}

function countServers({ config, servers }: AdminDeps): Overview['servers'] {
  const states = servers().map(({ state }) => state)
  const count = (...wanted: readonly string[]): number =>
    states.filter(state => wanted.includes(state)).length
  return {
    ready: count('ready', 'idle'),
    starting: count('starting'),
    down: count('waiting', 'stopped'),
    total: config().servers.filter(({ enabled }) => enabled).length,
  }
}
