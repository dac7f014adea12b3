import { describe, expect, it } from 'vitest'
import { parseJson } from './parse-json.ts'
import { refuseNumberForText } from './refuse-odd.ts'

const LONG = '12345678901234567890'

function isRefused(text: string): boolean {
  const parsed = parseJson(text, 100)
  if (!parsed.ok) throw new Error(parsed.reason)
  return refuseNumberForText(parsed.value) !== undefined
}

describe('an exact number', () => {
  it.each([
    `{"method":${LONG}}`,
    `{"params":{"name":${LONG}}}`,
    `{"params":{"uri":${LONG}}}`,
    `{"params":{"_meta":{"io.hintgate/session":${LONG}}}}`,
    `{"params":{"_meta":{"io.modelcontextprotocol/logLevel":${LONG}}}}`,
    `{"params":{"ref":{"name":${LONG}}}}`,
    `{"params":{"cursor":${LONG}}}`,
  ])('is not accepted as a protocol string: %s', text => {
    expect(isRefused(text)).toBe(true)
  })

  it('is reported in the error response to the request', () => {
    const parsed = parseJson(`{"id":7,"method":"tools/call","params":{"name":${LONG}}}`, 10)
    expect(parsed.ok && refuseNumberForText(parsed.value)).toEqual({
      jsonrpc: '2.0',
      id: 7,
      error: { code: -32600, message: 'Invalid Request: "name" must be a string, not a number' },
    })
  })

  it.each([
    `{"id":${LONG},"method":"x"}`,
    `{"params":{"name":"t","arguments":{"name":${LONG}}}}`,
    `{"params":{"_meta":{"progressToken":${LONG},"com.example/n":${LONG}},"future":${LONG}}}`,
    `{"result":{"name":${LONG}}}`,
    '{"params":{"name":"t"}}',
  ])('is accepted elsewhere: %s', text => {
    expect(isRefused(text)).toBe(false)
  })
})
