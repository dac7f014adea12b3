import { expect, it } from 'vitest'
import { readModernRequest } from './read-modern.ts'

const REQUEST = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: {
    name: 'x',
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
}

it('reads a request with the known members', () => {
  expect(readModernRequest(REQUEST, '2026-07-28')).toMatchObject({ id: 1, method: 'tools/call' })
})

// Fuzzing found the first two cases. The SDK refuses such messages.
it.each([{ mid: 1 }, { result: {} }, { error: { code: 1, message: '' } }, { Method: 'tools/list' }])(
  'leaves a request with other members to the SDK: %j',
  more => {
    expect(readModernRequest({ ...REQUEST, ...more }, '2026-07-28')).toBeUndefined()
  },
)
