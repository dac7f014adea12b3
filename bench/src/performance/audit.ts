// What the audit log costs by itself: recording calls, verifying and searching a log of many rows.
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from './statistics.ts'

export interface AuditFigures {
  /** Calls that write, 64 at once, each with a durable intent and outcome. */
  readonly callsPerSecond: number
  /** CPU microseconds of one such call, and of one that reads. */
  readonly writeMicros: number
  readonly readMicros: number
  readonly rows: number
  /** Rows in a second of CPU. */
  readonly verifiedPerSecond: number
  /** CPU milliseconds of a page of 100 calls of one agent on one day. */
  readonly queryMs: number
}

const AT_ONCE = 64
const CALLS = 20_000
const WARM_UP = 2_000
const BATCH = 500
const DAY_MS = 86_400_000
const START = 1_790_000_000_000
const BETWEEN_MS = 5_000

/** Nobody imports these from outside the gateway, so they have no place among its exports. */
interface Parts {
  readonly AuditRecorder: new (deps: object) => Recorder
  readonly Sealer: new (secret: Buffer) => object
  readonly verifyChains: (store: object, sealer: object) => Promise<{ rows: number; problemCount: number }>
  readonly openStore: (url: string) => Promise<Store>
}

interface Recorder {
  intent(entry: object): Promise<void> | undefined
  outcome(entry: object): Promise<void> | undefined
  close(): Promise<void>
}

interface Store {
  readonly audit: { query(request: object): Promise<{ calls: readonly unknown[] }> }
  close(): Promise<void>
}

async function loadParts(): Promise<Parts> {
  const load = async (path: string): Promise<object> =>
    (await import(new URL(`../../../packages/gateway/dist/${path}`, import.meta.url).href)) as object
  const paths = [
    'audit/audit-recorder.js',
    'audit/sealer.js',
    'audit/verify-chains.js',
    'store/open-store.js',
  ]
  return Object.assign({}, ...(await Promise.all(paths.map(load)))) as Parts
}

export async function measureAudit(rows = 1_000_000): Promise<AuditFigures> {
  const parts = await loadParts()
  const folder = await mkdtemp(join(tmpdir(), 'hintgate-audit-'))
  const secret = randomBytes(32)
  const store = await parts.openStore(`sqlite:${join(folder, 'audit.db')}`)
  try {
    const recorder = new parts.AuditRecorder({ store: store.audit, secret })
    const recording = await measureRecording(recorder)
    await fill(recorder, rows)
    await recorder.close()
    const sealer = new parts.Sealer(secret)
    return {
      ...recording,
      rows,
      ...(await measureReading(store, () => parts.verifyChains(store.audit, sealer))),
    }
  } finally {
    await store.close()
    await rm(folder, { recursive: true, force: true })
  }
}

async function measureRecording(recorder: Recorder) {
  await writeCalls(recorder, WARM_UP)
  const start = performance.now()
  const writeMicros = (await cpuMicros(() => writeCalls(recorder, CALLS))) / CALLS
  const callsPerSecond = (CALLS / (performance.now() - start)) * 1000
  const readMicros = (await cpuMicros(() => readCalls(recorder, CALLS))) / CALLS
  return { callsPerSecond, writeMicros, readMicros }
}

async function writeCalls(recorder: Recorder, count: number): Promise<void> {
  let left = count
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const call = nextCall('call_tool_write', Date.now())
      await recorder.intent(call)
      await new Promise(setImmediate)
      await recorder.outcome(endOf(call))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
}

async function readCalls(recorder: Recorder, count: number, at = () => Date.now()): Promise<void> {
  for (let index = 0; index < count; index++) {
    const call = nextCall('call_tool_read', at())
    void recorder.intent(call)
    void recorder.outcome(endOf(call))
    if (index % BATCH === 0) await new Promise(resolve => setTimeout(resolve, 10))
  }
}

/** The cheapest way to many rows, spread over weeks. */
async function fill(recorder: Recorder, rows: number): Promise<void> {
  let at = START
  await readCalls(recorder, rows, () => (at += BETWEEN_MS))
}

async function measureReading(store: Store, verify: () => Promise<{ rows: number; problemCount: number }>) {
  const verified = { rows: 0, problemCount: 0 }
  const micros = await cpuMicros(async () => void Object.assign(verified, await verify()))
  if (verified.problemCount > 0) throw new Error('the log that was just written is not intact')
  const ask = () =>
    store.audit.query({ agent: 'agent:bot3', since: START + DAY_MS, until: START + 2 * DAY_MS, limit: 100 })
  const runs: number[] = []
  for (let round = 0; round < 9; round++) runs.push(await cpuMicros(async () => void (await ask())))
  return { verifiedPerSecond: (verified.rows / micros) * 1e6, queryMs: median(runs) / 1000 }
}

async function cpuMicros(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

let number = 0

function nextCall(variant: string, at: number): object {
  number += 1
  return {
    requestId: `bench-${number.toString(36)}`,
    at,
    principal: `agent:bot${number % 50}`,
    session: 'bench',
    door: 'search',
    server: 'crm',
    tool: 'update_contact',
    typed: 'crm:update_contact',
    known: {
      variant,
      fingerprint: 'f'.repeat(64),
      hints: 'readOnly-default destructive+declared',
      title: 'Update contact',
    },
    arguments: { id: number, name: 'Ada Lovelace', note: 'x'.repeat(120) },
    verdict: 'allow',
    reasons: [],
  }
}

function endOf(call: object): object {
  return { call, outcome: 'answered', attempts: 1, durationMs: 3, resultBytes: 300 }
}
