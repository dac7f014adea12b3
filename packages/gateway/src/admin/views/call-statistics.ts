import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { readCalls } from '../../audit/read-calls.ts'
import { attempt } from '../../base/attempt.ts'
import type { AuditRow, AuditStore } from '../../store/audit-store.ts'

const KEYS = ['calls', 'read', 'write', 'destructive', 'allowed', 'asked', 'refused', 'failed'] as const

type Counts = Record<(typeof KEYS)[number], number>

export interface Minute extends Counts {
  /** The number of calls by duration, in buckets that are each a tenth wider than the one before. */
  readonly durations: Map<number, number>
}

const FAILED = new Set(['failed', 'error', 'tool_error', 'unknown'])
const STEP = Math.log(1.1)

export function emptyCounts(): Counts {
  return Object.fromEntries(KEYS.map(key => [key, 0])) as Counts
}

export function addCounts(sum: Counts, more: Counts): void {
  for (const key of KEYS) sum[key] += more[key]
}

type Ended = Pick<AuditRow, 'variant' | 'verdict' | 'outcome'>

interface Weight {
  /** The duration, for forwarded calls only. */
  readonly ms: number | undefined
  /** The number of calls; more than one for a row that counts repeated refusals. */
  readonly times: number
}

function noteCall(minute: Minute, { variant, verdict, outcome }: Ended, { ms, times }: Weight): void {
  minute.calls += times
  if (variant === 'read' || variant === 'write' || variant === 'destructive') minute[variant] += times
  // A call without a verdict was refused before it was judged, or was never made.
  if (verdict === 'allow') minute.allowed += times
  else if (verdict === 'confirm') minute.asked += times
  else if (verdict === 'deny' || outcome === 'refused') minute.refused += times
  if (FAILED.has(outcome)) minute.failed += times
  if (ms === undefined) return
  const at = Math.round(Math.log(Math.max(1, ms)) / STEP)
  minute.durations.set(at, (minute.durations.get(at) ?? 0) + 1)
}

/**
 * Returns percentiles of the durations: for each share, the duration below which that share of calls lies, to within 10
 * %.
 */
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

const MINUTE_MS = 60_000
const KEPT_MS = 7 * 24 * 60 * MINUTE_MS
const PAGE = 500
/** Maximum number of calls that are counted. A chart must not wait for a million rows. */
const MOST = 200_000
const PATIENCE_MS = 400

/**
 * Counts calls per minute over a week. The log is read once, newest first and in small slices; after that, only new
 * rows of any replica are read, so that frequent polling costs little.
 */
export class CallStatistics {
  readonly #audit: AuditStore
  readonly #now: () => number
  readonly #minutes = new Map<number, Minute>()
  #cursor: string | undefined
  #reading: Promise<void> | undefined
  #isWhole = false
  #following: Promise<void> = Promise.resolve()

  constructor(audit: AuditStore, now: () => number) {
    this.#audit = audit
    this.#now = now
  }

  /** True if earlier calls may be missing. */
  get isCut(): boolean {
    return !this.#isWhole
  }

  /** Returns the counts of each minute since a time, oldest first, including rows added in the meantime. */
  async since(moment: number): Promise<readonly (readonly [at: number, minute: Minute])[]> {
    await this.#catchUp()
    return [...this.#minutes].filter(([at]) => at >= moment).toSorted(([a], [b]) => a - b)
  }

  async #catchUp(): Promise<void> {
    if (this.#cursor === undefined) {
      this.#cursor = await this.#audit.end()
      this.#reading = this.#readBack()
    }
    // A longer update continues in the background for the next request.
    await Promise.race([this.#reading, sleep(PATIENCE_MS)])
    this.#following = this.#following.then(() => this.#follow())
    await this.#following
  }

  async #readBack(): Promise<void> {
    const since = this.#now() - KEPT_MS
    let count = 0
    for await (const calls of readCalls(this.#audit, { since })) {
      if (count >= MOST) return
      for (const { ending } of calls) this.#count(ending)
      count += calls.length
      await setImmediate()
    }
    this.#isWhole = true
  }

  async #follow(): Promise<void> {
    for (;;) {
      const { rows, cursor } = await this.#audit.read(this.#cursor, PAGE)
      if (rows.length === 0) break
      for (const row of rows) if (row.kind !== 'intent') this.#count(row)
      this.#cursor = cursor
    }
    const oldest = this.#now() - KEPT_MS - MINUTE_MS
    for (const at of this.#minutes.keys()) if (at < oldest) this.#minutes.delete(at)
  }

  #count(row: AuditRow): void {
    const at = Math.floor(row.at / MINUTE_MS) * MINUTE_MS
    const minute = this.#minutes.get(at) ?? { ...emptyCounts(), durations: new Map() }
    this.#minutes.set(at, minute)
    noteCall(minute, row, weigh(row))
  }
}

function weigh({ body, outcome }: AuditRow): Weight {
  const isRefused = outcome === 'refused'
  // A row without `repeats` counts a single refusal, so it need not be parsed.
  if (isRefused && !body.includes('"repeats":')) return { ms: undefined, times: 1 }
  // A row that was tampered with must not cause an error here. Verification reports it.
  const { ms, repeats } = attempt(() => JSON.parse(body) as Numbers) ?? {}
  return {
    ms: isRefused || typeof ms !== 'number' ? undefined : ms,
    times: typeof repeats === 'number' ? repeats : 1,
  }
}

interface Numbers {
  readonly ms?: unknown
  readonly repeats?: unknown
}
