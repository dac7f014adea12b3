import { describe, expect, it } from 'vitest'
import { readHeaders } from './read-headers.ts'

describe('headers', () => {
  it('are found in any spelling', () => {
    expect(readHeaders(['HOST', 'a', 'x-other', 'b', 'Mcp-Session-Id', 'c'])).toMatchObject({
      host: 'a',
      'mcp-session-id': 'c',
      origin: undefined,
    })
  })

  it.each(['Host', 'Authorization', 'Mcp-Session-Id', 'Content-Length', 'Last-Event-Id'])(
    'are refused when %s is repeated',
    name => {
      expect(readHeaders([name, 'a', name.toUpperCase(), 'a'])).toBe(name.toLowerCase())
    },
  )

  it('can contain several accept headers', () => {
    const pieces = ['Accept', 'application/json', 'accept', 'text/event-stream']
    expect(readHeaders(pieces)).toMatchObject({ accept: 'application/json, text/event-stream' })
  })
})
