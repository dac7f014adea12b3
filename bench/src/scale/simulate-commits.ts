// How many commits the audit log of one replica makes. It is not the number of calls, because rows that wait are written
// together, and not a formula either, because which wait depends on what else is going on; so it is played through.
import { SETTINGS, SHARES } from './workload.ts'

interface Options {
  readonly callsPerSecond: number
  /** How long a commit takes, and a server for an answer. */
  readonly commitMs: number
  readonly serverMs: number
  readonly seconds: number
}

export interface Commits {
  readonly batchesPerSecond: number
  readonly rowsPerSecond: number
}

interface Row {
  readonly at: number
  readonly isHurried: boolean
}

/** The same every time: calls come at random, by a generator with a fixed start. */
export function simulateCommits({ callsPerSecond, commitMs, serverMs, seconds }: Options): Commits {
  const random = createRandom(20_261_116)
  const rows: Row[] = []
  for (let at = 0; at < seconds * 1000; ) {
    at += (-Math.log(1 - random()) / callsPerSecond) * 1000
    const isWrite = random() < SHARES.writes
    const answered = at + serverMs * (0.5 + random())
    if (isWrite) rows.push({ at, isHurried: true }, { at: answered + commitMs, isHurried: true })
    else rows.push({ at: answered, isHurried: false })
  }
  rows.sort((a, b) => a.at - b.at)
  return { batchesPerSecond: countBatches(rows, commitMs) / seconds, rowsPerSecond: rows.length / seconds }
}

/** As group-commit.ts does it: at once for who waits, within a while for the rest, and one commit at a time. */
function countBatches(rows: readonly Row[], commitMs: number): number {
  let [batches, next, freeAt] = [0, 0, 0]
  while (next < rows.length) {
    const first = rows[next]?.at ?? 0
    const hurried = rows.slice(next, next + SETTINGS.fullBatch).find(({ isHurried }) => isHurried)
    const due = Math.min(first + SETTINGS.unhurriedMs, hurried?.at ?? Number.POSITIVE_INFINITY)
    const startsAt = Math.max(due, freeAt)
    let taken = 0
    while ((rows[next + taken]?.at ?? Number.POSITIVE_INFINITY) <= startsAt) taken += 1
    next += Math.max(1, taken)
    batches += 1
    freeAt = startsAt + commitMs
  }
  return batches
}

/** A linear congruential generator: good enough for arrivals, and the same everywhere. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
