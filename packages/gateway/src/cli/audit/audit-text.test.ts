import { describe, expect, it } from 'vitest'
import type { AuditCall } from '../../audit/view-call.ts'
import { showCall } from './audit-text.ts'

const REFUSED: AuditCall = {
  request: 'r1',
  time: '2026-11-19T04:32:05.000Z',
  severity: 'warning',
  agent: 'agent:bot',
  action: 'Refused: Drop table',
  server: 'db',
  tool: 'drop_table',
  verdict: 'deny',
  outcome: 'refused',
  code: 'permission_denied',
  rows: [],
}

describe('a refusal that was counted', () => {
  it.each([
    [1, 'refused (permission_denied, 1 more time)'],
    [2, 'refused (permission_denied, 2 more times)'],
  ])('%i times says so', (repeats, text) => {
    expect(showCall({ ...REFUSED, repeats }, (_, plain) => plain)).toContain(text)
  })
})
