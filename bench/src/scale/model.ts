// The load of many replicas on a shared database, term by term, so that the arithmetic can be followed.
import { type Commits, simulateCommits } from './simulate-commits.ts'
import type { UnitCosts } from './unit-costs.ts'
import { ACTIVE_AGENTS, CHANGES_BY_PEOPLE_PER_HOUR, SERVERS, SETTINGS, SHARES } from './workload.ts'

export interface Estimate {
  readonly replicas: number
  readonly callsPerSecond: number
  readonly connections: number
  /** Per second, of all replicas together. */
  readonly batches: number
  readonly lookups: number
  readonly writes: number
  readonly polls: number
  readonly changes: number
  /** Every change is delivered to every replica. */
  readonly deliveries: number
  /** What replicas read again after a change. */
  readonly refreshes: number
  readonly transactions: number
  /** Database cores that are busy all the time. */
  readonly cores: number
  readonly auditGigabytesPerDay: number
}

const COMMIT_MS = 3
const SERVER_MS = 50
const SIMULATED_SECONDS = 30

/** A replica processes a change for one server after the other, then the next change; this limits its rate. */
const JUDGING_MS = 1 + SERVERS

/** Request, decision and use are three changes that other replicas receive. */
const CHANGES_PER_QUESTION = 3
const STATEMENTS_PER_QUESTION = 5

export function estimate(replicas: number, callsPerSecond: number, costs: UnitCosts): Estimate {
  const commits = simulateCommits({
    callsPerSecond,
    commitMs: COMMIT_MS,
    serverMs: SERVER_MS,
    seconds: SIMULATED_SECONDS,
  })
  const all = replicas * callsPerSecond
  const asked = all * SHARES.asked
  const changes = asked * CHANGES_PER_QUESTION + CHANGES_BY_PEOPLE_PER_HOUR / 3600
  const heard = Math.min(changes, 1000 / JUDGING_MS)
  const refreshes = replicas * heard * refreshedBy(callsPerSecond, heard)
  const load = {
    batches: replicas * commits.batchesPerSecond,
    lookups: all * SHARES.judged,
    writes: all * SHARES.bringing + asked * STATEMENTS_PER_QUESTION + replicas * SETTINGS.heartbeatsPerSecond,
    polls: replicas * SETTINGS.pollsPerSecond,
    changes,
    deliveries: changes * replicas,
    refreshes,
  }
  return {
    replicas,
    callsPerSecond: all,
    connections: replicas * SETTINGS.connections,
    ...load,
    transactions: load.batches + load.lookups + load.writes + load.polls + load.refreshes,
    cores: coresFor(load, replicas * commits.rowsPerSecond, costs),
    auditGigabytesPerDay: bytesPerDay(replicas, commits, costs) / 1e9,
  }
}

/** After a change: the overrides, the reviews of each server, and the callers before the next change. */
function refreshedBy(callsPerSecond: number, changesPerSecond: number): number {
  const callers = Math.min(ACTIVE_AGENTS, callsPerSecond / Math.max(changesPerSecond, 1 / 60))
  return 1 + SERVERS + 2 * callers
}

type Load = Pick<
  Estimate,
  'batches' | 'lookups' | 'writes' | 'polls' | 'changes' | 'deliveries' | 'refreshes'
>

function coresFor(load: Load, rows: number, { database }: UnitCosts): number {
  const micros =
    load.batches * database.batchMicros +
    rows * database.rowMicros +
    (load.lookups + load.polls + load.refreshes) * database.lookupMicros +
    load.writes * database.writeMicros +
    load.changes * database.changeMicros +
    load.deliveries * database.deliveryMicros
  return micros / 1e6
}

function bytesPerDay(replicas: number, { rowsPerSecond }: Commits, { database }: UnitCosts): number {
  return replicas * rowsPerSecond * database.bytesPerRow * 86_400
}
