// What single things cost, measured by measure.ts and kept in unit-costs.json, so that everybody computes with the same.
import { readFileSync } from 'node:fs'

export interface UnitCosts {
  readonly measuredAt: string
  readonly machine: string
  /** The machine's load average when it began: above its cores, all CPU times are too high. */
  readonly loadBefore: number
  readonly node: NodeCosts
  readonly database: DatabaseCosts
}

/** One gateway. */
interface NodeCosts {
  /** CPU microseconds of the cheapest pipe that Node can be, of a call that reads, and of one that writes. */
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
  /** A batch of audit rows: each batch, and each row in it. */
  readonly batchMicros: number
  readonly rowMicros: number
  /** One row by its key: a session, a token, the counter of changes. */
  readonly lookupMicros: number
  /** One row changed and committed. */
  readonly writeMicros: number
  /** One change that everybody hears of, and each of those who hear it. */
  readonly changeMicros: number
  readonly deliveryMicros: number
  /** On disk, with its indexes. */
  readonly bytesPerRow: number
}

/** Beside the sources, where it is kept; the built file reads it there, too. */
export const UNIT_COSTS_FILE = new URL('../../src/scale/unit-costs.json', import.meta.url)

export function readUnitCosts(): UnitCosts {
  return JSON.parse(readFileSync(UNIT_COSTS_FILE, 'utf8')) as UnitCosts
}
