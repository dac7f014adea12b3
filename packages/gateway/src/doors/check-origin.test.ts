import type { IncomingMessage } from 'node:http'
import { describe, expect, it } from 'vitest'
import { allowOrigins, checkOrigin } from './check-origin.ts'

const allowed = allowOrigins({
  listen: { host: '127.0.0.1' },
  allowedHosts: ['gate.example'],
  allowedOrigins: ['https://app.example'],
})

function check(
  headers: Record<string, string>,
  rawHeaders = Object.entries(headers).flat(),
): string | undefined {
  return checkOrigin({ headers, rawHeaders } as IncomingMessage, allowed)
}

describe('where a request comes from and goes to', () => {
  it.each(['127.0.0.1:4428', 'localhost', 'LOCALHOST:1', '[::1]:4428', 'gate.example'])(
    'may be the host %s',
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
  ])('may not be the host %j', host => {
    expect(check({ host })).toContain('allowedHosts')
  })

  it.each(['http://127.0.0.1:4428', 'http://localhost:3000', 'https://app.example'])(
    'may be the origin %s',
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
  ])('may not be the origin %s', origin => {
    expect(check({ host: 'localhost', origin })).toContain('allowedOrigins')
  })

  it('may not be said twice', () => {
    expect(check({ host: 'localhost' }, ['Host', 'localhost', 'host', 'evil.example'])).toContain('host')
    expect(
      check({ host: 'localhost' }, ['Authorization', 'a', 'Host', 'localhost', 'AUTHORIZATION', 'b']),
    ).toContain('authorization')
  })
})
