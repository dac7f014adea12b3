import { addRiskFactors, type SessionRiskFactors } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import type { AgentRules } from '../agent-options.ts'
import { define, toolOf } from '../test-support/make-tools.ts'
import { type CallFacts, covers, judgeCall, ownReasons } from './judge-call.ts'

const RULES: AgentRules = { read: 'never', write: 'never', destructive: 'always', trifecta: 'declared' }
const READ = toolOf(define('look', { readOnly: true, openWorld: false, sensitive: false }))
const WRITE = toolOf(
  define('put', { readOnly: false, destructive: false, openWorld: false, sensitive: false }),
)
const WIPE = toolOf(
  define('wipe', { readOnly: false, destructive: true, openWorld: false, sensitive: false }),
)
const SEND = toolOf(define('post', { readOnly: false, openWorld: true, sensitive: false, egress: true }))

const facts = (tool: CallFacts['tool'], more: Partial<CallFacts> = {}): CallFacts => ({
  tool,
  args: {},
  riskFactors: {},
  rules: RULES,
  isRiskJudgedElsewhere: false,
  ...more,
})

const rulesOf = (given: CallFacts): readonly string[] => judgeCall(given).reasons.map(({ rule }) => rule)

const mark = (tool: string) => ({ tool, request: 'r', at: 0 })
const web = toolOf(define('fetch', { readOnly: true, openWorld: true, sensitive: false }))
const diary = toolOf(define('diary', { readOnly: true, openWorld: false, sensitive: true }))
const TAINTED: SessionRiskFactors = addRiskFactors(
  addRiskFactors({}, web.effective, mark('web')),
  diary.effective,
  mark('diary'),
)

describe('judgeCall', () => {
  it.each([
    ['read', READ],
    ['write', WRITE],
    ['destructive', WIPE],
  ] as const)('asks about a %s call only if the rule says so', (kind, tool) => {
    expect(judgeCall(facts(tool, { rules: { ...RULES, [kind]: 'never' } })).verdict).toBe('allow')
    const asking = facts(tool, { rules: { ...RULES, [kind]: 'always' } })
    expect(judgeCall(asking)).toMatchObject({ verdict: 'confirm', reasons: [{ source: 'rules' }] })
    expect(rulesOf(asking)).toEqual([`confirm.${kind}`])
  })

  it('does not ask if the gateway asks', () => {
    const judged = judgeCall(facts({ ...WIPE, gatewayAsks: true }))
    expect(judged).toMatchObject({ verdict: 'confirm', reasons: [{ source: 'gateway' }] })
    expect(ownReasons(judged)).toEqual([])
  })

  it('asks about a changed tool of any kind', () => {
    expect(rulesOf(facts(toolOf(READ.definition, { change: { kind: 'new' } })))).toContain(
      'definition.changed',
    )
  })

  it("denies a call that completes the lethal trifecta if the rule is deny, unless a gateway judges the session's risk", () => {
    const deny = { riskFactors: TAINTED, rules: { ...RULES, trifecta: 'deny' as const } }
    expect(judgeCall(facts(SEND, deny)).verdict).toBe('deny')
    expect(judgeCall(facts(SEND, { ...deny, isRiskJudgedElsewhere: true })).verdict).toBe('allow')
  })

  it('only warns if the rule is warn', () => {
    const judged = judgeCall(facts(SEND, { riskFactors: TAINTED, rules: { ...RULES, trifecta: 'warn' } }))
    expect(judged.verdict).toBe('allow')
    expect(judged.notes).toHaveLength(1)
  })
})

describe('an approval', () => {
  const approved = judgeCall(facts(WIPE, { args: { id: 1, deep: { a: 1, b: 2 } } }))

  it('covers the same call with its arguments in any order', () => {
    expect(covers(approved, judgeCall(facts(WIPE, { args: { deep: { b: 2, a: 1 }, id: 1 } })))).toBe(true)
  })

  it('does not cover other arguments, another tool, another definition or another reason', () => {
    const args = { id: 1, deep: { a: 1, b: 2 } }
    const other = toolOf(define('other', { destructive: true }))
    const changed = toolOf({ ...WIPE.definition, description: 'Other words.' })
    expect(covers(approved, judgeCall(facts(WIPE, { args: { id: 2 } })))).toBe(false)
    expect(covers(approved, judgeCall(facts(other, { args })))).toBe(false)
    expect(covers(approved, judgeCall(facts(changed, { args })))).toBe(false)
    const newer = toolOf(WIPE.definition, { change: { kind: 'new' } })
    expect(covers(approved, judgeCall(facts(newer, { args })))).toBe(false)
  })

  it('covers only a judgement that asked for one', () => {
    const allowed = judgeCall(facts(READ))
    expect(covers(allowed, allowed)).toBe(false)
    expect(covers(undefined, approved)).toBe(false)
  })
})
