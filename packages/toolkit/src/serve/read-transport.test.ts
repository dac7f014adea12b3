import { describe, expect, it } from 'vitest'
import { isLoopback, readTransport, UsageError } from './read-transport.ts'

const http = { kind: 'http', host: '127.0.0.1', port: 3000, path: '/mcp', token: undefined, allowedHosts: [] }

describe('readTransport', () => {
  it.each([
    [[], {}, { kind: 'stdio' }],
    [[], { PORT: '8080' }, { kind: 'stdio' }],
    [['--http'], {}, http],
    [['--http'], { PORT: '8080', HOST: '::1' }, { ...http, port: 8080, host: '::1' }],
    [['--port', '0'], { PORT: '8080' }, { ...http, port: 0 }],
    [[], { MCP_TRANSPORT: 'http', MCP_TOKEN: 't' }, { ...http, token: 't' }],
    [['--stdio'], { MCP_TRANSPORT: 'http' }, { kind: 'stdio' }],
    [
      ['--http', '--path', '/x', '--allow-host', 'a'],
      { MCP_ALLOWED_HOSTS: 'b, c' },
      { ...http, path: '/x', allowedHosts: ['a', 'b', 'c'] },
    ],
  ])('%j with %j', (args, env, transport) => {
    expect(readTransport({ args, env })).toEqual(transport)
  })

  it.each([
    [['--http', '--stdio'], {}, /either --stdio or --http/],
    [['--port', 'http'], {}, /the port must be/],
    [['--port', '70000'], {}, /the port must be/],
    [['--verbose'], {}, /--verbose[\s\S]*Serves MCP over stdio/],
    [[], { MCP_TRANSPORT: 'sse' }, /MCP_TRANSPORT must be/],
  ])('rejects %j with %j', (args, env, message) => {
    expect(() => readTransport({ args, env })).toThrow(UsageError)
    expect(() => readTransport({ args, env })).toThrow(message)
  })

  it('recognises loopback addresses', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', 'localhost'].every(isLoopback)).toBe(true)
    expect(['0.0.0.0', '::', '192.168.0.1', '127.evil.example', 'example.com'].some(isLoopback)).toBe(false)
  })
})
