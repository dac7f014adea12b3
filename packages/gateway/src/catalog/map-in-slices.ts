import { setImmediate } from 'node:timers/promises'

/** The longest time for which other work is blocked, in milliseconds. */
const TURN_MS = 10

/** Maps a list that can be long, and yields to other work at intervals. */
export async function mapInSlices<T, R>(items: readonly T[], work: (item: T) => R): Promise<readonly R[]> {
  const mapped: R[] = []
  let turnBegan = performance.now()
  for (const item of items) {
    if (performance.now() - turnBegan > TURN_MS) {
      await setImmediate()
      turnBegan = performance.now()
    }
    mapped.push(work(item))
  }
  return mapped
}
