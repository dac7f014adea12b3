import type { RiskFactorMark, TrifectaRule } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import type { SessionFacts } from './facts/facts.ts'
import { judgeRisk } from './judge-risk.ts'
import { makeFacts } from './rules/test-support/make-facts.ts'
import type { Rules } from './rules.ts'
import type { Case } from './step.ts'

const SEND = { readOnly: false, openWorld: false, egress: true, sensitive: false, reversible: true }
const mark = (tool: string, basis: RiskFactorMark['basis'] = 'declared'): RiskFactorMark => ({
  tool,
  request: 'r',
  at: 1,
  basis,
})
const READ = { private_data: mark('files:read'), untrusted_content: mark('web:fetch') }

function judge(trifecta: TrifectaRule, session: Omit<SessionFacts, 'id'>) {
  const facts = { ...makeFacts({ tool: 'send', hints: SEND }), session: { id: 's', ...session } }
  const confirm = { trifecta, channel: 'any', remember: [] } as unknown as Rules['confirm']
  return judgeRisk.judge(facts as Case, { confirm } as Rules)
}

describe('the risk of the caller’s other sessions', () => {
  it('counts with acrossSessions', () => {
    expect(judge('deny', { riskFactors: {}, across: READ })).toMatchObject({ kind: 'deny', code: 'trifecta' })
    expect(judge('always', { riskFactors: {}, across: READ }).kind).toBe('ask')
    expect(judge('declared', { riskFactors: {}, across: READ }).kind).toBe('ask')
  })

  it('does not count without acrossSessions', () => {
    expect(judge('deny', { riskFactors: {} }).kind).toBe('pass')
    expect(judge('deny', { riskFactors: READ }).kind).toBe('deny')
  })

  it('combines with this session, preferring declared calls', () => {
    const riskFactors = { private_data: mark('odd:tool', 'assumed') }
    const judged = judge('deny', { riskFactors, across: { ...READ, private_data: mark('files:read') } })
    expect(JSON.stringify(judged)).toContain('private data: files:read')
    const apart = { untrusted_content: mark('web:fetch') }
    expect(judge('deny', { riskFactors, across: apart }).kind).toBe('deny')
  })

  it('is not mentioned to the caller if the rule only adds a note', () => {
    const assumed = { private_data: mark('a', 'assumed'), untrusted_content: mark('b', 'assumed') }
    expect(judge('declared', { riskFactors: {}, across: assumed }).kind).toBe('pass')
    expect(judge('declared', { riskFactors: assumed }).kind).toBe('note')
  })
})
