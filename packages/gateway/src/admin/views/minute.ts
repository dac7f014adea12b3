import type { AuditRow } from '../../store/audit-store.ts'

/** How many calls there were of each kind. */
export interface Counts {
  calls: number
  read: number
  write: number
  destructive: number
  allowed: number
  asked: number
  refused: number
  failed: number
}

/** What is remembered of the calls of one minute. */
export interface Minute extends Counts {
  /** Durations, in classes that are a tenth wider each: how many were in which. */
  readonly durations: Map<number, number>
}

const KEYS = ['calls', 'read', 'write', 'destructive', 'allowed', 'asked', 'refused', 'failed'] as const
const FAILED = new Set(['failed', 'error', 'tool_error', 'unknown'])
const STEP = Math.log(1.1)

export function emptyCounts(): Counts {
  return { calls: 0, read: 0, write: 0, destructive: 0, allowed: 0, asked: 0, refused: 0, failed: 0 }
}

export function emptyMinute(): Minute {
  return { ...emptyCounts(), durations: new Map() }
}

export function addCounts(sum: Counts, more: Counts): void {
  for (const key of KEYS) sum[key] += more[key]
}

type Ended = Pick<AuditRow, 'variant' | 'verdict' | 'outcome'>

export function noteCall(minute: Minute, { variant, verdict, outcome }: Ended, ms: number | undefined): void {
  minute.calls += 1
  if (variant === 'read' || variant === 'write' || variant === 'destructive') minute[variant] += 1
  // What never came to a verdict was refused, or never happened.
  if (verdict === 'allow') minute.allowed += 1
  else if (verdict === 'confirm') minute.asked += 1
  else if (verdict === 'deny' || outcome === 'refused') minute.refused += 1
  if (FAILED.has(outcome)) minute.failed += 1
  if (ms === undefined) return
  const at = Math.round(Math.log(Math.max(1, ms)) / STEP)
  minute.durations.set(at, (minute.durations.get(at) ?? 0) + 1)
}

/** Below which the given shares of all durations lie, to a tenth. */
export function percentiles(
  minutes: readonly Minute[],
  shares: readonly number[],
): readonly (number | undefined)[] {
  const all = new Map<number, number>()
  for (const { durations } of minutes)
    for (const [at, count] of durations) all.set(at, (all.get(at) ?? 0) + count)
  const sorted = [...all].toSorted(([a], [b]) => a - b)
  const total = sorted.reduce((sum, [, count]) => sum + count, 0)
  return shares.map(share => {
    let seen = 0
    for (const [at, count] of sorted) {
      seen += count
      if (seen >= share * total) return Math.round(Math.exp(at * STEP) * 10) / 10
    }
    return undefined
  })
}
