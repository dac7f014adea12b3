import { setTimeout as pause } from 'node:timers/promises'

export interface Pace {
  readonly perSecond: number
  /** The most visits that may run at once. */
  readonly atOnce: number
  readonly ms: number
}

/**
 * Starts a visit whenever one is due, whether or not earlier ones have ended, so that a slow gateway gets no less work.
 * Visits are skipped only when too many are running. Returns how many, after the last one has ended.
 */
export async function keepPace(
  { perSecond, atOnce, ms }: Pace,
  visit: (dueAt: number) => Promise<void>,
): Promise<number> {
  const startedAt = performance.now()
  const everyMs = 1000 / perSecond
  const underWay = new Set<Promise<void>>()
  let leftOut = 0
  for (let dueAt = startedAt; dueAt < startedAt + ms; dueAt += everyMs) {
    const early = dueAt - performance.now()
    if (early > 0) await pause(early)
    if (underWay.size >= atOnce) {
      leftOut += 1
      continue
    }
    const visiting = visit(dueAt)
    underWay.add(visiting)
    visiting.finally(() => underWay.delete(visiting)).catch(() => {})
  }
  await Promise.all(underWay)
  return leftOut
}
