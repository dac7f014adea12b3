// The number of commits of one replica's audit log. It is not the number of calls, because waiting rows are written
// together, and no formula gives it, because the waiting rows depend on what else happens. So it is simulated.
import { SETTINGS, SHARES } from './workload.ts'

interface Options {
  readonly callsPerSecond: number
  /** The duration of a commit, and of a server's answer. */
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

/** Random arrivals from a fixed seed, so that every run gives the same result. */
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

/** Same as group-commit.ts: at once for rows that are waited for, after a delay for the rest, one commit at a time. */
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

/** A linear congruential generator: sufficient for arrivals, and the same on every platform. */
function createRandom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
