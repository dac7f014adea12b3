import { expect, it } from 'vitest'
import type { Request } from '../protocol/messages.ts'
import { LegacySession, type SessionOptions } from './legacy-session.ts'

const ask = (id: number): Request => ({ jsonrpc: '2.0', id, method: 'ping' })

it('answers as much of a batch as one caller may have unread, and says of the rest that it is lost', () => {
  const limits = { unreadBytesPerPrincipal: 100, parkedMs: 1000 }
  const session = new LegacySession({ id: 's', limits } as unknown as SessionOptions)
  const long = '"x"'.repeat(20)
  // The second was called off, and nobody waits for an answer.
  const fitting = session.fitTogether([ask(1), ask(2), ask(3), ask(4)], [long, undefined, long, '"z"'])
  expect(fitting).toEqual([long, expect.stringContaining('"id":3'), expect.stringContaining('"id":4')])
  expect(fitting[1]).toContain('too long together')
})
