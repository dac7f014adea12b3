import { describe, expect, it } from 'vitest'
import { isLoopback, readWay, UsageError } from './read-way.ts'

const http = { kind: 'http', host: '127.0.0.1', port: 3000, path: '/mcp', token: undefined, allowedHosts: [] }

describe('how a server is reached', () => {
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
  ])('%j with %j', (args, env, way) => {
    expect(readWay({ args, env })).toEqual(way)
  })

  it.each([
    [['--http', '--stdio'], {}, /exclude each other/],
    [['--port', 'http'], {}, /a port is a number/],
    [['--port', '70000'], {}, /a port is a number/],
    [['--verbose'], {}, /--verbose[\s\S]*Serves MCP over stdio/],
    [[], { MCP_TRANSPORT: 'sse' }, /MCP_TRANSPORT must be/],
  ])('%j with %j is refused in words', (args, env, message) => {
    expect(() => readWay({ args, env })).toThrow(UsageError)
    expect(() => readWay({ args, env })).toThrow(message)
  })

  it('knows which addresses only this machine reaches', () => {
    expect(['127.0.0.1', '127.9.9.9', '::1', 'localhost'].every(isLoopback)).toBe(true)
    expect(['0.0.0.0', '::', '192.168.0.1', '127.evil.example', 'example.com'].some(isLoopback)).toBe(false)
  })
})
