// The cost of a call, a tool, a session and an audit row in one gateway.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { measureAuditCost } from '../performance/audit-cost.ts'
import { type LoadProcess, startLoadProcess } from '../performance/load-process.ts'
import { readUsage } from '../performance/process-usage.ts'
import { type Gateway, startGateway } from '../performance/start-gateway.ts'
import { startUpstreams } from '../performance/upstreams.ts'
import { appendBatches } from './append-rows.ts'
import { openStore } from './store-parts.ts'
import type { UnitCosts } from './unit-costs.ts'

const UPSTREAMS = 10
const TOOLS = 1000
const SESSIONS = 5000
const SETTLE_MS = 8000
const ROWS_AT_ONCE = 512
const BATCHES = 100

export async function measureNode(): Promise<UnitCosts['node']> {
  const load = startLoadProcess()
  try {
    const writing = await measureAuditCost(load, { variant: 'write' })
    const reading = await measureAuditCost(load, { variant: 'read' })
    const idle = await measureMemory(load, 1, 0)
    const tools = await measureMemory(load, TOOLS, 0)
    const sessions = await measureMemory(load, 1, SESSIONS)
    return {
      floorMicros: Math.min(writing.floorMicros, reading.floorMicros),
      readMicros: reading.auditedMicros,
      writeMicros: writing.auditedMicros,
      idleMegabytes: idle,
      bytesPerTool: ((tools - idle) * 2 ** 20) / (UPSTREAMS * (TOOLS - 1)),
      bytesPerSession: ((sessions - idle) * 2 ** 20) / SESSIONS,
      bytesPerRow: await measureRow(),
    }
  } finally {
    load.stop()
  }
}

/** Megabytes after a while, with a given number of tools at each of ten servers, and a number of sessions. */
async function measureMemory(load: LoadProcess, tools: number, sessions: number): Promise<number> {
  const upstreams = await startUpstreams({ transport: 'http', era: 'legacy', upstreams: UPSTREAMS, tools })
  const names = upstreams.urls.map((url, index) => [`up${index}`, { url, trust: 'trusted' }])
  const limits = { sessions: 2 * SESSIONS, sessionsPerPrincipal: 2 * SESSIONS }
  const gateway = await startGateway({
    mcpServers: Object.fromEntries(names) as Record<string, object>,
    limits,
  })
  try {
    if (sessions > 0) await openSessions(load, gateway, sessions)
    await new Promise(resolve => setTimeout(resolve, SETTLE_MS))
    return readUsage(gateway.pid).rssMegabytes
  } finally {
    await gateway.stop()
    await upstreams.stop()
  }
}

async function openSessions(load: LoadProcess, { url, token }: Gateway, sessions: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  const target = { kind: 'http' as const, url: new URL('/mcp/servers/up0', url).href, headers }
  const { firstWrong } = await load.order({ kind: 'abandon', target, sessions })
  if (firstWrong !== undefined) throw new Error(firstWrong)
}

async function measureRow(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-rows-'))
  const file = join(folder, 'rows.db')
  try {
    const store = await openStore(`sqlite:${file}`)
    const before = statSync(file).size
    await appendBatches(store.audit, BATCHES, ROWS_AT_ONCE)
    await store.close()
    return (statSync(file).size - before) / (BATCHES * ROWS_AT_ONCE)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
