import type { Reading } from './measure.ts'

interface Slack {
  readonly share: number
  readonly more: number
}

/**
 * How much more than early on there may be at the end. Caches and compiled code still find their size; what grows with
 * every call is far beyond it: the shortest run has thousands.
 */
const SLACK: Readonly<Record<keyof Reading, Slack>> = {
  // The system's view: free lists and fragments count, so it only shows what the others cannot see at all.
  rss: { share: 0.3, more: 40 },
  heap: { share: 0.05, more: 3 },
  external: { share: 0.1, more: 4 },
  timers: { share: 0.05, more: 20 },
  emitters: { share: 0.05, more: 50 },
  signals: { share: 0.05, more: 20 },
  functions: { share: 0.02, more: 500 },
}

/** What there is more of than there may be, in words; nothing if all is flat. */
export function findGrowth(early: Reading, late: Reading): string[] {
  const kinds = Object.keys(SLACK) as (keyof Reading)[]
  return kinds
    .filter(kind => late[kind] > early[kind] * (1 + SLACK[kind].share) + SLACK[kind].more)
    .map(kind => `${kind}: ${Math.round(early[kind])} → ${Math.round(late[kind])}`)
}
