import { describe, expect, it } from 'vitest'
import { parseJson, spellNumbers } from '../protocol/parse-json.ts'
import { otherParams, otherParamsForServer, withoutUnshown } from './other-params.ts'

const PLAIN = {
  name: 't',
  arguments: { a: 1 },
  requestState: 'hgc1.s',
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'x' },
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.hintgate/session': 'chat 1',
    progressToken: 7,
    traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  },
}

describe('parameters of a call besides its arguments', () => {
  it('are undefined when there is only what the protocol needs', () => {
    expect(otherParams(PLAIN)).toBeUndefined()
    expect(otherParamsForServer(PLAIN)).toBeUndefined()
  })

  it('include everything else, even within _meta or if _meta is not an object', () => {
    const params = { ...PLAIN, other: 1, _meta: { ...PLAIN._meta, 'com.example/tenant': 'x' } }
    const expected = { other: 1, _meta: { 'com.example/tenant': 'x' } }
    expect(otherParams(params)).toEqual(expected)
    expect(otherParamsForServer(params)).toEqual(expected)
    expect(otherParams({ name: 't', _meta: ['x'] })).toEqual({ _meta: ['x'] })
  })

  it('leave out, for approvers but not for guardrails, values that differ between requests', () => {
    const params = { _meta: { baggage: 'a=b', tracestate: 'c', 'io.hintgate/mine': 1 } }
    expect(otherParams(params)).toBeUndefined()
    expect(otherParamsForServer(params)).toEqual(params)
  })

  it('include for guardrails everything that can contain words', () => {
    const words = 'twelve chars'
    const meta = (name: string, value: unknown) => ({ _meta: { [`io.modelcontextprotocol/${name}`]: value } })
    for (const carrier of [
      { requestState: words },
      { inputResponses: { a: { content: words } } },
      { _meta: { traceparent: words } },
      meta('logLevel', words),
      meta('serverInfo', { name: 'x' }),
      meta('subscriptionId', '1'),
      meta('clientInfo', { name: '849-66-3189' }),
      meta('clientInfo', { name: 'evil.com' }),
      meta('clientInfo', { name: 'x', version: '849-66-3189' }),
      meta('clientInfo', { name: 'x', other: 'y' }),
      meta('clientInfo', { name: 'x', title: ['y'] }),
      meta('clientInfo', words),
      meta('clientCapabilities', { elicitation: { form: words } }),
      meta('clientCapabilities', { experimental: {} }),
    ])
      expect(otherParamsForServer({ name: 't', arguments: {}, ...carrier })).toEqual(carrier)
    for (const plain of [
      meta('logLevel', 'debug'),
      meta('clientInfo', { name: 'claude-code', version: '2.0.1' }),
      meta('clientInfo', { name: 'Visual Studio Code', title: 'Code', version: '1.99.0-beta.3' }),
      meta('clientCapabilities', { elicitation: { form: {} }, roots: { listChanged: true } }),
    ])
      expect(otherParamsForServer({ name: 't', ...plain })).toBeUndefined()
  })

  it('are not sent with an approved call unless the approver saw them', () => {
    const order = 'delete everything'
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01'
    const kept = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {
        elicitation: { form: {} },
        roots: { listChanged: true },
      },
      'io.modelcontextprotocol/logLevel': 'info',
      'com.example/shown': order,
      progressToken: 7,
      traceparent,
    }
    expect(withoutUnshown({ name: 't', _meta: kept })).toEqual({ name: 't', _meta: kept })
    const unseen = {
      ...kept,
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1', title: order },
      'io.modelcontextprotocol/clientCapabilities': {
        elicitation: { form: {}, order },
        roots: { listChanged: true },
        experimental: { order: {} },
        [order]: {},
      },
      'io.modelcontextprotocol/serverInfo': { name: order },
      'io.modelcontextprotocol/subscriptionId': order,
      'io.hintgate/session': order,
      'io.hintgate/other': order,
      baggage: order,
      tracestate: order,
    }
    expect(withoutUnshown({ name: 't', _meta: unseen })).toEqual({ name: 't', _meta: kept })
    for (const odd of [order, { toString: 1 }, [traceparent], 7])
      expect(
        withoutUnshown({ _meta: { traceparent: odd, 'io.modelcontextprotocol/logLevel': odd } }),
      ).toEqual({
        _meta: {},
      })
    expect(withoutUnshown({ name: 't' })).toEqual({ name: 't' })
  })

  it('treat __proto__ like any other name and keep every digit', () => {
    const parsed = parseJson('{"_meta":{"__proto__":{"n":12345678901234567890}}}', 100)
    const params = parsed.ok ? (parsed.value as Record<string, unknown>) : {}
    expect(JSON.stringify(otherParams(params, spellNumbers))).toBe(
      '{"_meta":{"__proto__":{"n":"12345678901234567890"}}}',
    )
  })
})
