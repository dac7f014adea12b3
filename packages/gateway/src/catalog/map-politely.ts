import { setImmediate } from 'node:timers/promises'

/** Longer than this nobody has to wait for a list of ours. */
const TURN_MS = 10

/** Maps a list that may be long, and lets others have a turn now and then. */
export async function mapPolitely<T, R>(items: readonly T[], work: (item: T) => R): Promise<readonly R[]> {
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
