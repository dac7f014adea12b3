import { describe, expect, it } from 'vitest'
import type { AuditFilter, AuditRow } from '../../store/audit-store.ts'
import type { Store } from '../../store/store.ts'
import { readQuestions } from './question.ts'

const FINGERPRINT = 'ab'.repeat(32)
const DEFINITION = { name: 'destroy', inputSchema: { type: 'object' } }
const ADA = { by: 'person:ada', via: 'cli', at: '2026-11-19T10:00:00Z' }

interface Given {
  readonly approval?: string
  readonly agent?: string
  readonly verdict?: string
  readonly code?: string
  readonly approver?: object
  readonly repeats?: number
  readonly set?: string
}

let count = 0

function row({ agent = 'agent:bot', verdict = 'confirm', code = '', ...said }: Given): AuditRow {
  count += 1
  const body = JSON.stringify({
    fingerprint: FINGERPRINT,
    hints: 'destructive+declared',
    args: { id: 'a' },
    reasons: [{ rule: 'confirm.destructive', source: 'config', text: 'x' }],
    ...said,
  })
  const about = { agent, server: 's', tool: 'destroy', variant: 'destructive', verdict, code }
  const outcome = code === '' ? 'answered' : 'refused'
  const links = { prev: '', hash: '' }
  return {
    writer: 1,
    seq: count,
    at: count,
    kind: 'call',
    request: `req_${count}`,
    ...about,
    outcome,
    body,
    ...links,
  }
}

function read(...given: readonly Given[]): ReturnType<typeof readQuestions> {
  const rows = given.map(row)
  const query = async ({ verdict, code }: AuditFilter) => {
    const isWanted = (one: AuditRow): boolean =>
      (verdict === undefined || one.verdict === verdict) && (code === undefined || one.code === code)
    return { calls: rows.filter(isWanted).map(ending => ({ ending })) }
  }
  const versions = [{ fingerprint: FINGERPRINT, definition: JSON.stringify(DEFINITION) }]
  const definitions = {
    servers: async () => ['s'],
    load: async () => [{ kind: 'tool', name: 'destroy', versions }],
  }
  return readQuestions(
    { audit: { query }, definitions } as unknown as Pick<Store, 'audit' | 'definitions'>,
    0,
  )
}

const WAITING = { code: 'confirmation_required' }

describe('the questions in the log', () => {
  it('name the toolset in which the call was made', async () => {
    const { questions } = await read({ approval: 'ap_1', approver: ADA, set: 'home' }, { approval: 'ap_2' })
    expect(questions.map(({ facts }) => facts.set)).toEqual(['home', undefined])
  })

  it('are one for each approval, however often the call is repeated', async () => {
    const { questions } = await read(
      { approval: 'ap_1', ...WAITING },
      { approval: 'ap_1', ...WAITING },
      { approval: 'ap_1', approver: ADA },
    )
    expect(questions).toMatchObject([
      { id: 'ap_1', answer: 'approved', by: 'person:ada', rules: ['confirm.destructive'] },
    ])
  })

  it.each(['elicitation', 'input_required'])(
    'do not count as approved if the answer came through the client itself (%s)',
    async via => {
      const approver = { ...ADA, by: 'client of agent:bot', via }
      const { questions } = await read({ approval: 'ap_1', ...WAITING }, { approval: 'ap_1', approver })
      expect(questions.map(({ answer }) => answer)).toEqual(['open'])
    },
  )

  it('leave out calls that a lasting approval covered, and calls of people', async () => {
    const { questions } = await read(
      { approval: 'gr_1', approver: ADA },
      { approval: 'ap_2', approver: ADA, agent: 'person:eve' },
    )
    expect(questions).toEqual([])
  })

  it('come with the calls that a person, a policy or a guardrail denied', async () => {
    const deny = { verdict: 'deny' }
    const { denied, questions } = await read(
      { ...deny, code: 'confirmation_denied', approval: 'ap_1', approver: ADA },
      { ...deny, code: 'policy_denied' },
      { ...deny, code: 'guardrail_blocked' },
      { ...deny, code: 'permission_denied' },
    )
    expect(denied.map(({ args }) => args)).toEqual([{ id: 'a' }, { id: 'a' }, { id: 'a' }])
    expect(questions).toEqual([])
  })
})
