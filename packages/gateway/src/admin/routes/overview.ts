import { RISK_FACTORS, type SessionRiskFactors, viewRisk } from '@hintgate/metadata'
import { type QuestionFigures, QuestionStatistics } from '../../audit/question-figures.ts'
import { idOf } from '../../catalog/review/review-item.ts'
import { maskEntry } from '../config/mask-entry.ts'
import type { Overview } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Handlers } from '../http/handler.ts'
import { addCounts, CallStatistics, emptyCounts, type Minute, percentiles } from '../views/call-statistics.ts'
import type { Table, ToolTable } from '../views/tool-table.ts'
import { findWaiting } from './review.ts'

const MINUTE = 60_000
const WINDOWS = {
  '1h': { ms: 60 * MINUTE, bucketMs: MINUTE },
  '24h': { ms: 24 * 60 * MINUTE, bucketMs: 15 * MINUTE },
  '7d': { ms: 7 * 24 * 60 * MINUTE, bucketMs: 120 * MINUTE },
} as const

const MOST_SEEN = 1000

export function createOverviewHandlers(deps: AdminDeps, tools: ToolTable) {
  const { store } = deps
  const statistics = new CallStatistics(store.audit, Date.now)
  const questions = new QuestionStatistics(store.audit, Date.now)
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
        latency: { p50, p95, p99 },
        servers: countServers(deps),
        waiting: { approvals: await countPending(now), tools: findWaiting(table).length },
        questions: describeQuestions(await questions.figures()),
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
  } satisfies Partial<Handlers>
}

function describeQuestions({ days, agents, rules, ...figures }: QuestionFigures): Overview['questions'] {
  return { ...figures, days: [...days], agents: [...agents], rules: [...rules] }
}

/** Sums up calls in buckets, including buckets without calls, so that a chart shows gaps. */
function sumUp(
  minutes: readonly (readonly [at: number, minute: Minute])[],
  { start, end, bucketMs }: Record<'start' | 'end' | 'bucketMs', number>,
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

type Alert = Overview['alerts'][number]

const MOST = 20
const SESSIONS = 200
const DAY_MS = 24 * 60 * 60_000

async function listAlerts(deps: AdminDeps, table: Table): Promise<Alert[]> {
  const alerts = [
    ...serversDown(deps),
    ...contradictions(table),
    ...changed(table),
    ...(await trifectas(deps)),
  ]
  return alerts.toSorted((a, b) => b.at - a.at).slice(0, MOST)
}

function serversDown({ servers }: AdminDeps): readonly Alert[] {
  return servers()
    .filter(({ state, lastFailure }) => state === 'waiting' && lastFailure !== undefined)
    .map(({ name, lastFailure }) => ({
      kind: 'server.down',
      text: `${name} is down: ${String(maskEntry(lastFailure?.detail ?? ''))}`,
      at: Date.now(),
      link: `/servers/${encodeURIComponent(name)}`,
    }))
}

function contradictions({ rows }: Table): readonly Alert[] {
  return rows
    .filter(row => row.contradictions > 0)
    .map(({ id, item }) => ({
      kind: 'contradiction',
      text: `${id} declares hints that contradict its description`,
      at: item.current.firstSeenAt,
      link: linkOf(item.stored),
    }))
}

function changed({ rows }: Table): readonly Alert[] {
  return rows
    .filter(({ state }) => state === 'changed')
    .map(({ item }) => ({
      kind: 'tool.changed',
      text: `${idOf(item.stored)} has changed since it was approved`,
      at: item.current.firstSeenAt,
      link: '/review',
    }))
}

async function trifectas({ store }: AdminDeps): Promise<readonly Alert[]> {
  const since = Date.now() - DAY_MS
  const sessions = await store.sessions.list(SESSIONS)
  return sessions.flatMap(({ id, riskFactors, usedAt }) => {
    const marks = JSON.parse(riskFactors) as SessionRiskFactors
    if (usedAt < since || viewRisk(marks).level !== 'trifecta') return []
    const at = Math.max(...RISK_FACTORS.map(factor => marks[factor]?.at ?? 0))
    const text = `session ${id} has touched all three risk factors: private data, untrusted content and external communication`
    return [{ kind: 'trifecta', text, at, link: `/sessions/${encodeURIComponent(id)}` }]
  })
}

function linkOf({ server, name }: { readonly server: string; readonly name: string }): string {
  return `/tools/${encodeURIComponent(server)}/${encodeURIComponent(name)}`
}
