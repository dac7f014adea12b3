import type { Reading } from './measure.ts'

interface Slack {
  readonly share: number
  readonly more: number
}

/**
 * The allowed growth since early in the run. Caches and compiled code still grow a little; a leak in every call exceeds
 * this by far, because even the shortest run has thousands of calls.
 */
const SLACK: Readonly<Record<keyof Reading, Slack>> = {
  // As seen by the system, which includes free lists and fragmentation, so this only detects large leaks.
  rss: { share: 0.3, more: 40 },
  heap: { share: 0.05, more: 3 },
  external: { share: 0.1, more: 4 },
  timers: { share: 0.05, more: 20 },
  emitters: { share: 0.05, more: 50 },
  signals: { share: 0.05, more: 20 },
  functions: { share: 0.02, more: 500 },
}

/** Describes measures that exceed their limit; empty when none does. */
export function findGrowth(early: Reading, late: Reading): string[] {
  const kinds = Object.keys(SLACK) as (keyof Reading)[]
  return kinds
    .filter(kind => late[kind] > early[kind] * (1 + SLACK[kind].share) + SLACK[kind].more)
    .map(kind => `${kind}: ${Math.round(early[kind])} → ${Math.round(late[kind])}`)
}
