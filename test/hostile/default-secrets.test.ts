import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { Site, startGatewayAt, stdioServer } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { bearer, send } from '../support/raw-mcp.ts'
import { openWitness } from '../support/witness.ts'

// No secret has a value that an attacker could know beforehand (ContextForge CVE-2026-53709, Agent Router
// GHSA-953h-535j-jg2v).

afterAll(cleanUp)

// Every refused value: packages/gateway/src/tokens/secret-key.test.ts.
const KNOWN: readonly (readonly [string, Buffer])[] = [
  ['zeros', Buffer.alloc(32)],
  ['a word', Buffer.from('changeme-changeme-changeme-changeme')],
  ['too short', Buffer.from('3f9c1a7be2')],
]

describe('the secret key of the gateway', () => {
  it.each(KNOWN)(
    'makes the start fail if it is a known value, before any server is started: %s',
    async (_what, key) => {
      const witness = await openWitness()
      const mcpServers = { s: stdioServer('never', witness) }
      const [one, other] = [new Site({ mcpServers }), new Site({ mcpServers })]
      mkdirSync(one.home, { recursive: true, mode: 0o700 })
      writeFileSync(join(one.home, 'secret.key'), key, { mode: 0o600 })
      const env = { HINTGATE_SECRET_KEY: key.toString('base64') }
      const starts = await Promise.allSettled([startGatewayAt(one), startGatewayAt(other, { env })])
      for (const start of starts) {
        const said = start.status === 'rejected' ? String(start.reason) : 'it started'
        expect(said).toContain('the process ended with 1')
        // The message says what is wrong with the key without showing it.
        expect(said).not.toContain(key.toString('latin1'))
      }
      expect(witness.sightings).toEqual([])
    },
  )

  it('is generated at the first start, differs in every home, and is readable by its user only', async () => {
    const keys = await Promise.all(
      [0, 1].map(async () => {
        const site = new Site({})
        const gateway = await startGatewayAt(site)
        await gateway.stop()
        const file = join(site.home, 'secret.key')
        expect(existsSync(file)).toBe(true)
        if (process.platform !== 'win32') expect(statSync(file).mode & 0o077).toBe(0)
        return readFileSync(file).toString('hex')
      }),
    )
    expect(keys[0]).not.toBe(keys[1])
  })
})

describe('a fresh gateway', () => {
  it('has no tokens and accepts no guessed one', async () => {
    const gateway = await startGatewayAt(new Site({}))
    const guesses = [
      'admin',
      'hintgate',
      'changeme',
      'hg_admin_',
      'hg_agent_',
      `hg_admin_${'A'.repeat(43)}`,
      `hg_agent_${'0'.repeat(43)}`,
      'null',
      'undefined',
      '[object Object]',
      'test',
    ]
    for (const guess of guesses)
      for (const path of ['/mcp', '/api/v1/events', '/metrics', '/readyz'])
        expect((await send(`${gateway.url}${path}`, { method: 'GET', headers: bearer(guess) })).status).toBe(
          401,
        )
    await gateway.stop()
  })

  it.each(['changeme', 'admin', 'a'.repeat(40), 'password'])(
    'does not accept a token such as %j in its config',
    async token => {
      const bot = { permissions: ['call_tool_read'], servers: ['*'], token }
      const { code, stderr } = await hintgate([
        'serve',
        ...new Site({ agent_tokens: { bot } }).flags,
        '--listen',
        '127.0.0.1:0',
      ])
      expect(code).toBe(2)
      expect(stderr).toContain('agent_tokens.bot.token')
      expect(stderr).not.toContain(`"${token}"`)
    },
  )
})
