import { describe, expect, it } from 'vitest'
import { allowOrigins, checkOrigin } from './check-origin.ts'
import { readHeaders } from './read-headers.ts'

const allowed = allowOrigins({
  listen: { host: '127.0.0.1' },
  allowedHosts: ['gate.example'],
  allowedOrigins: ['https://app.example'],
})

function check(headers: { host: string; origin?: string }): string | undefined {
  return checkOrigin(headers, allowed)
}

describe('the Host and Origin check', () => {
  it.each(['127.0.0.1:4428', 'localhost', 'LOCALHOST:1', '[::1]:4428', 'gate.example'])(
    'accepts the host %s',
    host => {
      expect(check({ host })).toBeUndefined()
    },
  )

  it.each([
    'evil.example',
    '',
    '127.0.0.1.evil.example',
    '127.0.0.1:4428@evil.example',
    'localhost:x',
    '[::1',
  ])('refuses the host %j', host => {
    expect(check({ host })).toContain('allowedHosts')
  })

  it.each(['http://127.0.0.1:4428', 'http://localhost:3000', 'https://app.example'])(
    'accepts the origin %s',
    origin => {
      expect(check({ host: 'localhost', origin })).toBeUndefined()
    },
  )

  it.each([
    'null',
    'https://evil.example',
    'file://localhost',
    'http://localhost.evil.example',
    'https://app.example.evil',
  ])('refuses the origin %s', origin => {
    expect(check({ host: 'localhost', origin })).toContain('allowedOrigins')
  })
})

describe('headers that must not be repeated', () => {
  it('are found in any spelling', () => {
    expect(readHeaders(['Host', 'localhost', 'X', '1', 'host', 'evil.example'])).toBe('host')
    expect(readHeaders(['Authorization', 'a', 'Host', 'localhost', 'AUTHORIZATION', 'b'])).toBe(
      'authorization',
    )
    expect(readHeaders(['Content-Length', '1', 'content-length', '2'])).toBe('content-length')
  })

  it('are read in one pass, and all others are ignored', () => {
    expect(readHeaders(['HOST', 'a', 'x-other', 'b', 'X-Other', 'c', 'Mcp-Name', 'd'])).toEqual({
      host: 'a',
      'mcp-name': 'd',
    })
  })
})
