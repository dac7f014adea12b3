import { describe, expect, it } from 'vitest'
import type { AuditFilter, AuditRow } from '../store/audit-store.ts'
import { QuestionStatistics } from './question-figures.ts'

const DAY = 86_400_000
const NOW = 20_000 * DAY + DAY / 2

interface Given {
  readonly id: string
  readonly at: number
  readonly code?: string
  readonly verdict?: string
  readonly rule?: string
  readonly answeredAt?: number
  readonly agent?: string
}

function row({
  id,
  at,
  code = '',
  verdict = 'confirm',
  rule = 'confirm.destructive',
  answeredAt,
  agent = 'agent:bot',
}: Given): AuditRow {
  const approver =
    answeredAt === undefined
      ? {}
      : { approver: { by: 'person:ada', via: 'cli', at: new Date(answeredAt).toISOString() } }
  const body = JSON.stringify({ approval: id, reasons: [{ rule }], ...approver })
  const outcome = code === '' ? 'answered' : 'refused'
  const where = { agent, server: 's', tool: 't', variant: 'destructive', verdict, outcome, code }
  return {
    writer: 1,
    seq: at,
    at,
    kind: 'call',
    request: `req_${id}_${at}_${code}`,
    ...where,
    body,
    prev: '',
    hash: '',
  }
}

function statisticsOf(
  rows: readonly AuditRow[],
  now = () => NOW,
): { statistics: QuestionStatistics; queries: AuditFilter[] } {
  const queries: AuditFilter[] = []
  const query = async (filter: AuditFilter) => {
    queries.push(filter)
    const { verdict, code, since = 0 } = filter
    const found = rows.filter(
      one =>
        one.at >= since &&
        (verdict === undefined || one.verdict === verdict) &&
        (code === undefined || one.code === code),
    )
    return { calls: found.map(ending => ({ ending })) }
  }
  return { statistics: new QuestionStatistics({ query }, now), queries }
}

const WAITING = 'confirmation_required'

describe('figures about questions', () => {
  it('count each question once, with its answer and the time that the answer took', async () => {
    const rows = [
      row({ id: 'ap_1', at: NOW - 5000, code: WAITING }),
      row({ id: 'ap_1', at: NOW - 4000, code: WAITING }),
      row({ id: 'ap_1', at: NOW - 1000, answeredAt: NOW - 2000 }),
      row({ id: 'ap_2', at: NOW - DAY, code: WAITING, rule: 'policy.x', agent: 'agent:other' }),
      row({
        id: 'ap_2',
        at: NOW - DAY + 10,
        code: 'confirmation_denied',
        verdict: 'deny',
        rule: 'confirmation',
        answeredAt: NOW - DAY + 1000,
      }),
      row({ id: 'ap_3', at: NOW - 100, code: WAITING }),
      row({ id: 'gr_4', at: NOW - 50, answeredAt: NOW - DAY }),
    ]
    const figures = await statisticsOf(rows).statistics.figures()
    expect(figures).toMatchObject({ questions: 3, approved: 1, denied: 1, open: 1, medianMs: 3000 })
    expect(figures.days.slice(-2).map(({ questions }) => questions)).toEqual([1, 2])
    expect(figures.rules).toEqual([
      { rule: 'confirm.destructive', questions: 2, approved: 1, denied: 0 },
      { rule: 'policy.x', questions: 1, approved: 0, denied: 1 },
    ])
    expect(figures.agents.map(({ agent, questions }) => [agent, questions])).toEqual([
      ['agent:bot', 2],
      ['agent:other', 1],
    ])
  })

  it('read only the newest calls again, and not at every look', async () => {
    let now = NOW
    const { statistics, queries } = statisticsOf(
      [row({ id: 'ap_1', at: NOW - 2 * DAY, code: WAITING })],
      () => now,
    )
    await statistics.figures()
    await statistics.figures()
    expect(queries).toHaveLength(2)
    expect(queries[0]?.since).toBe(NOW - 7 * DAY)
    now += 60_000
    expect(await statistics.figures()).toMatchObject({ questions: 1 })
    expect(queries[2]?.since).toBe(NOW - 3_600_000)
    now += 6 * DAY
    expect(await statistics.figures()).toMatchObject({ questions: 0 })
  })
})
