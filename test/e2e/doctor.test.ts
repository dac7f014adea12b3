import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { Site, startGatewayAt, startReadyGateway } from '../support/gateway.ts'
import { type Finished, hintgate } from '../support/hintgate.ts'
import { Liar } from '../support/liar.ts'
import type { Json } from '../support/raw-mcp.ts'
import { DESTROYS, READS } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

const DROP = {
  name: 'drop_table',
  description: 'Drops it.',
  inputSchema: { type: 'object' },
  annotations: DESTROYS,
}
const LIE = {
  name: 'delete_all',
  description: 'Deletes all.',
  inputSchema: { type: 'object' },
  annotations: READS,
}

interface Told {
  readonly ok: boolean
  readonly findings: readonly { code: string; level: string; text: string; fix: string; server?: string }[]
  readonly servers: readonly Json[]
}

async function doctor(site: Site, ...flags: readonly string[]): Promise<Finished & { told: Told }> {
  const done = await hintgate(['doctor', '--json', ...flags, ...site.flags])
  if (done.stdout === '') throw new Error(done.stderr)
  return { ...done, told: JSON.parse(done.stdout) as Told }
}

/** Whether Node is old depends on where and when the tests run. */
const codesOf = ({ told }: { told: Told }): string[] =>
  told.findings.map(({ code }) => code).filter(code => code !== 'node_old')

/** A port that is always free. */
const ANYWHERE = { quarantine: true, listen: '127.0.0.1:0' }

/** Runs a gateway once, so that the store knows its servers. */
async function visited(tools: readonly Json[], more: Json = {}): Promise<Site> {
  const liar = new Liar('box', witness, [{ pages: [tools] }])
  const gateway = await startReadyGateway({ ...ANYWHERE, mcpServers: { box: liar.config }, ...more })
  await gateway.says(/for review/)
  await gateway.stop()
  return gateway.site
}

describe('the doctor', () => {
  it('reports definitions that wait for review, with the command that lists them, until they are approved', async () => {
    const site = await visited([DROP])
    const before = await doctor(site)
    expect([before.code, before.told.ok, codesOf(before)]).toEqual([1, false, ['review_waiting']])
    expect(before.told.findings[0]).toMatchObject({
      server: 'box',
      level: 'warning',
      text: expect.stringContaining("1 of this server's definitions (1 new)"),
      fix: expect.stringContaining('hintgate tools review --server box'),
    })
    await hintgate(['tools', 'approve', 'box:drop_table', ...site.flags])
    const after = await doctor(site)
    expect([after.code, after.told.ok, codesOf(after)]).toEqual([0, true, []])
    expect(after.told.servers).toEqual([
      expect.objectContaining({ server: 'box', tools: 1, approved: 1, declared: 4, assumed: 0, inferred: 0 }),
    ])
  })

  it('reports a tool whose name contradicts its hints, until a person approves or overrides it', async () => {
    const site = await visited([LIE])
    expect(codesOf(await doctor(site))).toEqual(['review_waiting', 'contradiction', 'contradiction'])
    const { stdout } = await hintgate(['tools', 'review', ...site.flags])
    expect(stdout).toContain('box:delete_all: readOnlyHint is declared true, but')
    await hintgate(['tools', 'approve', 'box:delete_all', ...site.flags])
    const approved = await doctor(site)
    expect([approved.code, codesOf(approved)]).toEqual([0, ['contradiction', 'contradiction']])
    expect(new Set(approved.told.findings.map(({ level }) => level))).toEqual(new Set(['info']))
    const set = 'readOnlyHint=false,destructiveHint=true'
    await hintgate(['tools', 'override', 'box:delete_all', '--set', set, ...site.flags])
    expect(codesOf(await doctor(site))).toEqual([])
  })

  it('reports problems of the config, and still checks the store', async () => {
    const site = await visited([DROP])
    site.configure({
      ...ANYWHERE,
      quarantine: false,
      mcpServers: { box: { command: 'no-such-program', env: { KEY: `\${env:NO_SUCH_VARIABLE}` } } },
      overrides: { bax: { read: { readOnlyHint: true } } },
    })
    const done = await doctor(site)
    expect(done.code).toBe(1)
    expect(codesOf(done).toSorted()).toEqual([
      'config_invalid',
      'override_unknown',
      'program_missing',
      'quarantine_off',
    ])
    expect(JSON.stringify(done.told)).toContain('NO_SUCH_VARIABLE')
    site.configure('{ "mcpServers": [')
    expect([...new Set(codesOf(await doctor(site)))]).toEqual(['config_invalid'])
  })

  it('reports invalid rules, even if a secret is missing', async () => {
    const site = new Site(ANYWHERE)
    const broken = { ...ANYWHERE, policies: ['gone.yaml'], guardrails: [{ rule: 'keyword_blok' }] }
    const rules = async (env: Json) => {
      site.configure({ ...broken, mcpServers: { box: { command: process.execPath, env } } })
      const done = await doctor(site)
      return [
        done.code,
        done.told.findings.map(({ text }) => text).filter(text => /gone|guardrails/.test(text)),
      ]
    }
    const told = [expect.stringContaining('gone.yaml:1:1: '), expect.stringContaining('guardrails')]
    expect(await rules({})).toEqual([1, told])
    expect(await rules({ KEY: `\${env:NO_SUCH_VARIABLE}` })).toEqual([1, told])
  })

  it('reports tokens that expire soon, and agents without a token', async () => {
    const site = new Site({
      ...ANYWHERE,
      agent_tokens: { reporter: { permissions: ['read'], servers: ['*'] } },
    })
    await site.token({ expires: '2d' })
    await site.token({ expires: '30d' })
    const done = await doctor(site)
    expect(codesOf(done).toSorted()).toEqual(['no_servers', 'token_expires_soon', 'token_missing'])
  })

  it('reports a store that cannot be opened', async () => {
    const site = new Site(ANYWHERE)
    const done = await doctor(site, '--store', `sqlite:${site.configFile}`)
    expect([done.code, done.told.findings.some(({ code }) => code.startsWith('store_'))]).toEqual([1, true])
  })

  it('starts servers with --connect, shows their last output, and leaves no process behind', async () => {
    const fails = ['-e', 'console.error("first line\\nno key given"); process.exit(3)']
    const liar = new Liar('well', witness, [{ pages: [[DROP]] }])
    const site = new Site({
      ...ANYWHERE,
      mcpServers: { sick: { command: process.execPath, args: fails }, well: liar.config },
    })
    expect(codesOf(await doctor(site))).toEqual(['home_missing'])
    const done = await doctor(site, '--connect')
    expect([done.code, codesOf(done)]).toEqual([1, ['server_unreachable', 'home_missing']])
    expect(done.told.findings[0]?.text).toMatch(/sick.*code 3[\s\S]*first line[\s\S]*no key given/)
    expect(done.told.servers).toContainEqual(
      expect.objectContaining({ server: 'well', tools: 0, era: 'legacy' }),
    )
    expect(existsSync(site.home)).toBe(false)
    const { stdout } = await hintgate(['doctor', '--connect', ...site.flags])
    expect(stdout).toMatch(
      /^error sick: .*\(server_unreachable\)\n {4}\| first line\n {4}\| no key given\n {2}fix: /,
    )
    expect(stdout).toMatch(/^well .*\(legacy\)$/m)
  })

  it('has a --help with an example, and says if there are no problems', async () => {
    const help = await hintgate(['doctor', '--help'])
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('$ hintgate doctor')])
    const liar = new Liar('calm', witness, [{ pages: [[DROP]] }], { more: { trust: 'trusted' } })
    const gateway = await startGatewayAt(new Site({ ...ANYWHERE, mcpServers: { calm: liar.config } }))
    await gateway.says(/calm is ready/)
    await gateway.stop()
    const done = await hintgate(['doctor', ...gateway.site.flags])
    expect([done.code, done.stdout]).toEqual([
      0,
      expect.stringMatching(/^No problems found\.\n\n(?:info Node .*\n.*\n\n)?SERVER/),
    ])
  })
})
