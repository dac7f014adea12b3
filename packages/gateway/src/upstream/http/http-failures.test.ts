import { expect, it } from 'vitest'
import { isRpcError } from './http-failures.ts'

it('recognises short JSON-RPC errors only', () => {
  const error = (data: string) =>
    JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no', data } })
  expect(isRpcError(error('why'))).toBe(true)
  expect(isRpcError(error('x'.repeat(100_000)))).toBe(false)
  expect(isRpcError('<h1>no</h1>')).toBe(false)
})
