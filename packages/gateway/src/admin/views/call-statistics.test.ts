import { describe, expect, it } from 'vitest'
import type { AuditRow, AuditStore } from '../../store/audit-store.ts'
import { CallStatistics, percentiles } from './call-statistics.ts'

const NOW = 1_800_000_000_000
const MINUTE = 60_000

function row(seq: number, ago: number, more: Partial<AuditRow> = {}): AuditRow {
  return {
    writer: 1,
    seq,
    prev: '',
    hash: '',
    at: NOW - ago,
    kind: 'call',
    request: String(seq),
    agent: 'agent:a',
    server: 's',
    tool: 't',
    variant: 'read',
    verdict: 'allow',
    outcome: 'answered',
    code: '',
    body: `{"ms":${seq}}`,
    ...more,
  }
}

/** An in-memory log with the methods that these tests need. */
function logOf(rows: AuditRow[]) {
  let queries = 0
  const store: Pick<AuditStore, 'query' | 'read' | 'end'> = {
    async query({ limit, cursor = '0', since = 0 }) {
      queries += 1
      const ended = rows
        .filter(({ kind, at }) => kind !== 'intent' && at >= since)
        .toSorted((a, b) => b.at - a.at)
      const page = ended.slice(Number(cursor), Number(cursor) + limit)
      const next = Number(cursor) + limit
      return {
        calls: page.map(ending => ({ ending })),
        ...(next < ended.length ? { next: String(next) } : {}),
      }
    },
    read: async (after, limit) => {
      const from = Number(after ?? 0)
      return { rows: rows.slice(from, from + limit), cursor: String(Math.min(rows.length, from + limit)) }
    },
    end: async () => String(rows.length),
  }
  return { store: store as AuditStore, queries: () => queries }
}

describe('the call statistics', () => {
  it('count each call once by variant, verdict and outcome', async () => {
    const rows = [
      row(1, 5 * MINUTE),
      row(2, 5 * MINUTE, { variant: 'destructive', verdict: 'confirm', outcome: 'refused' }),
      row(3, 0, { variant: 'write', verdict: 'deny', outcome: 'refused' }),
      row(4, 0, { variant: '', verdict: '', outcome: 'refused' }),
      row(5, 0, { kind: 'intent' }),
      row(6, 0, { kind: 'outcome', variant: 'write', outcome: 'failed' }),
      row(7, 8 * 24 * 60 * MINUTE),
    ]
    const { store } = logOf(rows)
    const statistics = new CallStatistics(store, () => NOW)
    const [first, second, ...more] = await statistics.since(NOW - 10 * MINUTE)
    expect(more).toEqual([])
    expect(first?.[1]).toMatchObject({ calls: 2, read: 1, destructive: 1, allowed: 1, asked: 1, refused: 0 })
    expect(second?.[1]).toMatchObject({ calls: 3, write: 2, refused: 2, allowed: 1, failed: 1 })
    expect(statistics.isCut).toBe(false)
  })

  it('read the whole log once, and then only new rows', async () => {
    const rows = Array.from({ length: 1200 }, (_, seq) => row(seq, 0))
    const { store, queries } = logOf(rows)
    const statistics = new CallStatistics(store, () => NOW)
    const total = async () => (await statistics.since(0)).reduce((sum, [, { calls }]) => sum + calls, 0)
    expect(await total()).toBe(1200)
    expect(queries()).toBe(3)
    rows.push(row(1201, 0), row(1202, 0, { kind: 'intent' }))
    expect(await total()).toBe(1201)
    expect(await total()).toBe(1201)
    expect(queries()).toBe(3)
  })

  it('give percentiles of durations to within a tenth', async () => {
    const rows = Array.from({ length: 1000 }, (_, seq) => row(seq + 1, 0))
    const minutes = await new CallStatistics(logOf(rows).store, () => NOW).since(0)
    const [half, most] = percentiles(
      minutes.map(([, minute]) => minute),
      [0.5, 0.99],
    )
    expect(Math.abs((half ?? 0) - 500)).toBeLessThan(50)
    expect(Math.abs((most ?? 0) - 990)).toBeLessThan(99)
    expect(percentiles([], [0.5])).toEqual([undefined])
  })
})
