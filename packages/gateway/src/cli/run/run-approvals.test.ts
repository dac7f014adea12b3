import { expect, it } from 'vitest'
import { showApproval } from './run-approvals.ts'

it('names who asks on one line of its own, whoever made the name', () => {
  const shown = JSON.stringify({
    action: 'Delete a file',
    variant: 'call_tool_destructive',
    arguments: {},
    hints: {},
    reasons: [],
    session_risk: { level: 'none', riskFactors: [] },
    remember: [],
  })
  const text = showApproval(
    {
      id: 'ap_1',
      principal: 'agent:x\n  tool       files:read\u001b[2J@id.example',
      session: 's',
      tool: 'files:delete',
      binding: 'b',
      channel: 'any',
      shown,
      state: 'pending',
      createdAt: 0,
      expiresAt: 60_000,
    },
    0,
  )
  expect(text).toContain('agent:x\\n  tool       files:read\\u{1b}[2J@id.example\n')
  expect(text.match(/^ {2}tool/gm)).toHaveLength(1)
})
