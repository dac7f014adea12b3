import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeHeader,
  encodeHeader,
  META,
  nameInHeader,
  readEnvelope,
  withEnvelope,
  withoutEnvelope,
} from './modern.ts'

describe('encodeHeader() and decodeHeader()', () => {
  it('round-trip every value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), value => {
        const header = encodeHeader(value)
        expect(header).toMatch(/^[\x20-\x7e]+$/)
        expect(decodeHeader(header)).toBe(value)
      }),
    )
  })

  it('leave plain values unencoded', () => {
    expect(encodeHeader('eu-west 1')).toBe('eu-west 1')
    expect(encodeHeader('zürich')).toBe('=?base64?esO8cmljaA==?=')
    expect(encodeHeader(' x')).toBe('=?base64?IHg=?=')
  })

  it('refuse non-canonical encodings', () => {
    for (const header of ['=?base64?esO8cmljaA?=', '=?base64?/w==?=', '=?base64?YR==?=']) {
      expect(decodeHeader(header), header).toBeUndefined()
    }
  })
})

describe('the envelope of a modern request', () => {
  const envelope = { capabilities: { roots: {} }, clientInfo: { name: 'x' }, logLevel: 'info' }

  it('can be added, read and removed without changing the rest', () => {
    const params = { name: 'tool', _meta: { progressToken: 7, traceparent: '00-x' } }
    const dressed = withEnvelope(params, envelope)
    expect(readEnvelope(dressed)).toEqual(envelope)
    expect(withoutEnvelope(dressed)).toEqual(params)
    expect(withoutEnvelope(withEnvelope({ name: 'tool' }, envelope))).toEqual({ name: 'tool' })
  })

  it('is empty for a request without one', () => {
    expect(readEnvelope(undefined)).toEqual({ capabilities: {} })
    expect(readEnvelope({ _meta: { [META.clientCapabilities]: 'all' } })).toEqual({ capabilities: {} })
  })
})

describe('nameInHeader()', () => {
  it('returns the name of a tool or prompt, or the URI of a resource', () => {
    expect(nameInHeader('tools/call', { name: 'a' })).toBe('a')
    expect(nameInHeader('resources/read', { uri: 'b', name: 'c' })).toBe('b')
    expect(nameInHeader('tools/list', { name: 'a' })).toBeUndefined()
    expect(nameInHeader('tools/call', { name: 7 })).toBeUndefined()
  })
})
