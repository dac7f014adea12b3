import { describe, expect, it } from 'vitest'
import type { AgentClient } from '../agent-client.ts'
import type { Judgement } from '../call/judge-call.ts'
import { FrameworkApprovals } from './framework-approvals.ts'

function judging(...rules: readonly string[]): { agent: AgentClient; rules: string[] } {
  const now = [...rules]
  const judge = async (tool: string, args: unknown): Promise<Judgement> => ({
    verdict: now.length === 0 ? 'allow' : 'confirm',
    tool,
    variant: 'call_tool_destructive',
    fingerprint: 'f',
    args: args as Judgement['args'],
    reasons: now.map(rule => ({ rule, source: 'rules', text: rule })),
    notes: [],
  })
  return { agent: { judge } as unknown as AgentClient, rules: now }
}

const call = { tool: 's:wipe', args: { id: 1 }, callId: 'c1' }
const rulesOf = (judgement: Judgement | undefined) => judgement?.reasons.map(({ rule }) => rule)

describe('framework approvals', () => {
  it('are needed only for calls that the agent would ask about', async () => {
    expect(await new FrameworkApprovals(judging('confirm.destructive').agent).isNeeded(call)).toBe(true)
    expect(await new FrameworkApprovals(judging().agent).isNeeded(call)).toBe(false)
  })

  it('cover the reasons at the time of the first question', async () => {
    const { agent, rules } = judging('confirm.destructive')
    const approvals = new FrameworkApprovals(agent)
    await approvals.isNeeded(call)
    rules.push('definition.changed')
    expect(await approvals.isNeeded(call)).toBe(true)
    expect(rulesOf(approvals.take(call))).toEqual(['confirm.destructive'])
  })

  it('are valid once, even after a repeated question', async () => {
    const approvals = new FrameworkApprovals(judging('confirm.destructive').agent)
    await approvals.isNeeded(call)
    expect(approvals.take(call)).toBeDefined()
    await approvals.isNeeded(call)
    expect(approvals.take(call)).toBeUndefined()
  })

  it('cover only the same arguments, even if the model reuses a call id', async () => {
    const approvals = new FrameworkApprovals(judging('confirm.destructive').agent)
    await approvals.isNeeded(call)
    expect(approvals.take({ ...call, args: { id: 2 } })).toBeUndefined()
    const second = { ...call, args: { id: 3 } }
    await approvals.isNeeded(second)
    expect(approvals.take(second)).toBeDefined()
  })

  it('do not cover a change in this session if they were given earlier', async () => {
    const before = new FrameworkApprovals(judging('confirm.destructive').agent)
    expect(rulesOf(await before.takeStanding(call))).toEqual(['confirm.destructive'])
    const since = new FrameworkApprovals(judging('definition.changed', 'confirm.destructive').agent)
    expect(await since.takeStanding(call)).toBeUndefined()
  })
})
