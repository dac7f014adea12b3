import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { stdioServer } from '../support/gateway.ts'
import { isAlive } from '../support/processes.ts'
import { bearer, type Json, LegacyClient, ModernClient, refusalOf, send, textOf } from '../support/raw-mcp.ts'
import { scripted } from '../support/scripted-server.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness } from '../support/witness.ts'
import { play, type Scene } from './scene.ts'

// One caller cannot block the gateway for others (ts-sdk GHSA-f897-62hf-6gxq, CVE-2026-0621). Limits on bodies,
// batches, depth, sessions, streams and calls: test/hostile/gateway-limits.test.ts.

/** Patterns that take exponential or quadratic time in JavaScript, each with a text that triggers it. */
const REDOS: readonly (readonly [pattern: string, text: string])[] = [
  ['(a+)+$', `${'a'.repeat(40_000)}!`],
  ['(a|aa)+$', `${'a'.repeat(40_000)}!`],
  ['(a|a?)+$', `${'a'.repeat(40_000)}!`],
  ['([a-zA-Z]+)*$', `${'a'.repeat(40_000)}!`],
  ['(.*a){12}$', `${'a'.repeat(20_000)}!`],
  ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(40_000)],
  ['(x+x+)+y', 'x'.repeat(40_000)],
  ['^(\\d+)*$', `${'1'.repeat(40_000)}x`],
  ['\\s+$', `${' '.repeat(60_000)}x`],
  ['(.*)=(.*);', `${'='.repeat(30_000)}`],
]

/** Far more time than the gateway needs, and far less than a backtracking engine would need. */
const PATIENCE_MS = 8000

let scene: Scene

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-redos-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  const rules = REDOS.map(([pattern], at) =>
    [
      `  - id: slow-${at}`,
      '    effect: deny',
      `    when: re(string(args.policy), r'${pattern}') && false`,
      '    reason: Never.',
    ].join('\n'),
  )
  writeFileSync(join(folder, 'slow.yaml'), `rules:\n${rules.join('\n')}\n`)
  const properties = Object.fromEntries(
    REDOS.map(([pattern], at) => [`schema${at}`, { type: 'string', pattern }]),
  )
  scene = await play(
    [
      scripted('guarded'),
      scripted('judged'),
      scripted('checked', { inputSchema: { type: 'object', properties } }),
    ],
    {
      policies: [join(folder, 'slow.yaml')],
      mcpServers: { own: stdioServer('own', await openWitness(), [], { isolation: 'session' }) },
      guardrails: [
        {
          rule: 'block_pattern',
          field: 'guard',
          patterns: REDOS.map(([pattern]) => pattern),
          tools: ['guarded'],
        },
        { rule: 'secret_detect', field: '**' },
        { rule: 'pii_detect', field: '**' },
      ],
    },
  )
})
afterAll(cleanUp)

/** A call, and a second one that runs at the same time. */
async function timed(
  tool: string,
  args: Json,
): Promise<{ code: string | undefined; ms: number; other: string }> {
  const url = scene.gateway.endpoint('s')
  const passed = startWatch(scene.gateway.pid)
  const [answer, other] = await Promise.all([
    new ModernClient(url, scene.token).call(tool, args),
    new ModernClient(url, scene.token).call('echo', { other: 1 }),
  ])
  return { code: refusalOf(answer), ms: passed(), other: textOf(other) }
}

describe('a pattern that takes exponential time in JavaScript', () => {
  it.each(REDOS)('delays no other call: %s', async (pattern, text) => {
    const at = REDOS.findIndex(([one]) => one === pattern)
    for (const [tool, args] of [
      ['guarded', { guard: text }],
      ['judged', { policy: text }],
      ['checked', { [`schema${at}`]: text }],
    ] as const) {
      const { ms, other } = await timed(tool, args)
      expect(other).toContain('"other":1')
      expect(ms, tool).toBeLessThan(PATIENCE_MS)
    }
  })

  it('still works: what it matches is refused', async () => {
    expect(await timed('checked', { schema0: 'aab' })).toMatchObject({ code: 'invalid_arguments' })
    expect(await timed('checked', { schema0: 'aaa' })).toMatchObject({ code: undefined })
    expect(await timed('guarded', { guard: 'aaa' })).toMatchObject({ code: 'guardrail_blocked' })
  })
})

describe('one greedy caller', () => {
  it('does not keep others from connecting by idle connections', async () => {
    const { port } = new URL(scene.gateway.url)
    const idle = Array.from({ length: 300 }, (_, at) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        // A third sends nothing, a third half a request, and a third an incomplete body.
        if (at % 3 === 1) socket.write('POST /mcp HTTP/1.1\r\nHost: 127')
        if (at % 3 === 2)
          socket.write(
            `POST /mcp/servers/s HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${scene.token}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{`,
          )
      })
      socket.on('error', () => {})
      return socket
    })
    try {
      const { ms, other } = await timed('guarded', {})
      expect(other).toContain('"other":1')
      expect(ms).toBeLessThan(PATIENCE_MS)
    } finally {
      for (const socket of idle) socket.destroy()
    }
  })

  it('does not get a process for each of its sessions at the same time', async () => {
    const own = `${scene.gateway.url}/mcp/servers/own`
    const pids = new Set<string>()
    for (let at = 0; at < 36; at += 1) {
      const meta = { 'io.hintgate/session': `session ${at}` }
      pids.add(textOf(await new ModernClient(own, scene.token).call('pid', {}, { meta })))
    }
    // Each session had its own process, and not all of them still run.
    expect(pids.size).toBe(36)
    await expect.poll(() => [...pids].filter(pid => isAlive(Number(pid))).length).toBeLessThanOrEqual(32)
  })

  it('is refused if arguments are too long to check, without an internal error', async () => {
    const many = Array.from({ length: 150_000 }, (_, at) => `d${at}`)
    const search = new ModernClient(`${scene.gateway.url}/mcp`, scene.token)
    for (const args of [
      { domains: many, query: 5 },
      { servers: many, query: { a: 1 } },
      { domains: many, query: 'x', limit: 'all' },
    ])
      expect(refusalOf(await search.call('retrieve_tools', args as Json))).toBe('invalid_arguments')
    expect(scene.gateway.stderr.items.filter(line => /a fault of ours|internal error/.test(line))).toEqual([])
  })

  it('cannot cancel, end or answer the requests of another caller', async () => {
    const url = scene.gateway.endpoint('s')
    const mine = await new LegacyClient(url, scene.token).initialize()
    const thief = await scene.gateway.site.token()
    const theirs = await new LegacyClient(url, thief).initialize()
    await theirs.notify('notifications/cancelled', { requestId: 7, reason: 'mine now' })
    const pending = mine.call('guarded', { still: 'here' }, 7)
    await theirs.notify('notifications/cancelled', { requestId: 7, reason: 'mine now' })
    await theirs.respond(7, { content: [{ type: 'text', text: 'forged' }] })
    expect(textOf(await pending)).toContain('"still":"here"')
    const stolen = { ...mine.headers, ...bearer(thief) }
    expect((await send(url, { method: 'DELETE', headers: stolen })).status).toBe(404)
    expect(textOf(await mine.call('guarded', { still: 'there' }))).toContain('"still":"there"')
  })
})
