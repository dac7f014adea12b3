import { expect, it } from 'vitest'
import { showApproval } from './run-approvals.ts'

it('shows the caller on one line, even if its name has line breaks', () => {
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
