// The cost of the audit log alone in one store: recording calls, then verifying and searching a log of many rows.
import { randomBytes } from 'node:crypto'
import { recordReads, recordWrites } from './audit-calls.ts'
import { loadAuditParts, type Recorder } from './audit-parts.ts'
import { median } from './statistics.ts'

export interface LogFigures {
  /** Writes, 64 at once, each with a durable intent and outcome. */
  readonly callsPerSecond: number
  /** CPU microseconds of one write, and of one read, without those of a database server. */
  readonly writeMicros: number
  readonly readMicros: number
  readonly rows: number
  readonly verified: Pace
  /** A page of 100 calls of one agent on one day: our CPU milliseconds, and elapsed milliseconds. */
  readonly query: Pace
}

/** By our own CPU time, and by wall clock, which includes other work on the machine. */
interface Pace {
  readonly byCpu: number
  readonly byClock: number
}

const CALLS = 20_000
const WARM_UP = 2_000
const DAY_MS = 86_400_000
const START = 1_790_000_000_000
const BETWEEN_MS = 5_000
const QUERIES = 9
/** The writer's limit of waiting rows; with more, rows would be dropped if the store is slower. */
const PIECE = 20_000

export async function measureLog(url: string, rows: number): Promise<LogFigures> {
  const parts = await loadAuditParts()
  const secret = randomBytes(32)
  const store = await parts.openStore(url)
  try {
    const recorder = new parts.AuditRecorder({ store: store.audit, secret })
    const recording = await measureRecording(recorder)
    await fill(recorder, rows)
    await recorder.close()
    const sealer = new parts.Sealer(secret)
    const verify = await measure(async () => {
      const { rows: seen, problemCount } = await parts.verifyChains(store.audit, sealer)
      if (problemCount > 0 || seen < rows)
        throw new Error('The log that was just written fails verification.')
      return seen
    })
    const query = await measureQuery(request => store.audit.query(request))
    return { ...recording, rows, verified: perSecond(verify), query }
  } finally {
    await store.close()
  }
}

async function measureRecording(recorder: Recorder) {
  await recordWrites(recorder, WARM_UP)
  const writes = await measure(() => recordWrites(recorder, CALLS).then(() => CALLS))
  const reads = await measure(() => recordReads(recorder, CALLS).then(() => CALLS))
  return {
    callsPerSecond: perSecond(writes).byClock,
    writeMicros: (writes.cpuMs / CALLS) * 1000,
    readMicros: (reads.cpuMs / CALLS) * 1000,
  }
}

/** Spread over weeks. */
async function fill(recorder: Recorder, rows: number): Promise<void> {
  let at = START
  for (let left = rows; left > 0; left -= PIECE) {
    await recordReads(recorder, Math.min(PIECE, left), () => (at += BETWEEN_MS))
    // A row that is waited for is written after all earlier rows.
    await recordWrites(recorder, 1)
  }
}

async function measureQuery(
  query: (request: object) => Promise<{ calls: readonly unknown[] }>,
): Promise<Pace> {
  const request = { agent: 'agent:bot3', since: START + DAY_MS, until: START + 2 * DAY_MS, limit: 100 }
  const runs: Measured[] = []
  for (let round = 0; round < QUERIES; round++)
    runs.push(await measure(async () => (await query(request)).calls.length))
  if (runs.some(({ count }) => count !== request.limit))
    throw new Error('The query does not return all its calls.')
  return { byCpu: median(runs.map(run => run.cpuMs)), byClock: median(runs.map(run => run.ms)) }
}

interface Measured {
  readonly count: number
  readonly cpuMs: number
  readonly ms: number
}

async function measure(work: () => Promise<number>): Promise<Measured> {
  const [cpu, start] = [process.cpuUsage(), performance.now()]
  const count = await work()
  const { user, system } = process.cpuUsage(cpu)
  return { count, cpuMs: (user + system) / 1000, ms: performance.now() - start }
}

function perSecond({ count, cpuMs, ms }: Measured): Pace {
  return { byCpu: (count / cpuMs) * 1000, byClock: (count / ms) * 1000 }
}
