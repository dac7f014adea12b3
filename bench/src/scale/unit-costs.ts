// Unit costs, measured by measure.ts and saved in unit-costs.json, so that all calculations use the same figures.
import { readFileSync } from 'node:fs'

export interface UnitCosts {
  readonly measuredAt: string
  readonly machine: string
  /** The machine's load average at the start. Above its number of cores, all CPU times are too high. */
  readonly loadBefore: number
  readonly node: NodeCosts
  readonly database: DatabaseCosts
}

/** One gateway. */
interface NodeCosts {
  /** CPU microseconds of the cheapest possible pipe in Node, of a read, and of a write. */
  readonly floorMicros: number
  readonly readMicros: number
  readonly writeMicros: number
  readonly idleMegabytes: number
  readonly bytesPerTool: number
  readonly bytesPerSession: number
  /** On disk, with its indexes, in SQLite. */
  readonly bytesPerRow: number
}

/** CPU microseconds of PostgreSQL, all of its processes together. */
interface DatabaseCosts {
  /** A batch of audit rows: the cost of the batch, and of each row. */
  readonly batchMicros: number
  readonly rowMicros: number
  /** One row by key: a session, a token, the change counter. */
  readonly lookupMicros: number
  /** One row changed and committed. */
  readonly writeMicros: number
  /** One change that all replicas receive, and its delivery to each. */
  readonly changeMicros: number
  readonly deliveryMicros: number
  /** On disk, with its indexes. */
  readonly bytesPerRow: number
}

/** In the source folder, where it is stored; the built file reads it there, too. */
export const UNIT_COSTS_FILE = new URL('../../src/scale/unit-costs.json', import.meta.url)

export function readUnitCosts(): UnitCosts {
  return JSON.parse(readFileSync(UNIT_COSTS_FILE, 'utf8')) as UnitCosts
}
