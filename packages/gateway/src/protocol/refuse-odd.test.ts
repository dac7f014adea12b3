import { expect, it } from 'vitest'
import { refuseOdd } from './refuse-odd.ts'

const long = 'x'.repeat(1025)
const call = (id: unknown, progressToken?: unknown) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'a', _meta: { progressToken } },
})

it('refuses overlong request ids and progress tokens', () => {
  expect(refuseOdd(call(long))).toMatchObject({
    id: null,
    error: { message: expect.stringContaining('"id"') },
  })
  expect(refuseOdd(call(7, long))).toMatchObject({
    id: 7,
    error: { message: expect.stringContaining('"progressToken"') },
  })
})

it('accepts all others', () => {
  for (const message of [call('a', 'b'), call(1, 2), call('x'.repeat(1024)), {}, null, 'text'])
    expect(refuseOdd(message)).toBeUndefined()
})
