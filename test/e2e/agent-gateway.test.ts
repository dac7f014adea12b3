import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentOptions } from '@hintgate/agent'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asServers, connect, errorOf, NOTES, person, textOf } from '../support/agents.ts'
import { cleanUp, later } from '../support/clean-up.ts'
import { approve } from '../support/confirming.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { peerFile } from '../support/peers.ts'
import { DESTROYS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let things: ScriptedServer
let token: string
let root: string

const tools = [
  scripted('look'),
  scripted('write', { annotations: WRITES }),
  scripted('wipe', { annotations: DESTROYS, title: 'Wipe all' }),
]
const WEB = {
  annotations: { readOnlyHint: true, openWorldHint: true },
  _meta: { 'io.hintgate/hints': { sensitiveHint: false } },
}
const DIARY = { _meta: { 'io.hintgate/hints': { sensitiveHint: true } } }
const SEND = {
  annotations: { ...WRITES, openWorldHint: true },
  _meta: { 'io.hintgate/hints': { egressHint: true, sensitiveHint: false } },
}

beforeAll(async () => {
  witness = await openWitness()
  root = realpathSync(mkdtempSync(join(tmpdir(), 'hintgate-agent-')))
  later(() => rmSync(root, { recursive: true, force: true }))
  things = new ScriptedServer('things', witness, tools)
  const mail = new ScriptedServer('mail', witness, [
    scripted('fetch', WEB),
    scripted('diary', DIARY),
    scripted('send', SEND),
  ])
  const { stderr: _, ...notes } = NOTES
  gateway = await startReadyGateway({
    confirm: { trifecta: 'declared' },
    overrides: { things: { write: { destructiveHint: true } } },
    policies: [],
    mcpServers: {
      things: things.config,
      mail: mail.config,
      notes: { ...notes, args: [new URL('../../examples/notes-server.mjs', import.meta.url).pathname] },
      files: {
        command: process.execPath,
        args: [peerFile('@modelcontextprotocol/server-filesystem/dist/index.js'), root],
      },
    },
  })
  token = await gateway.site.token()
})
afterAll(cleanUp)

const behind = (more: Partial<AgentOptions> = {}) =>
  connect({ servers: { hub: { gateway: gateway.url, token } }, ...more })

const calls = (tool: string, mark: string): number =>
  witness.of('things').filter(({ raw }) => raw?.includes(`"${tool}"`) && raw.includes(mark)).length

describe('an agent behind a gateway', () => {
  it('lists the tools of all servers under the same ids as without a gateway', async () => {
    const agent = await behind()
    const listed = await agent.tools()
    expect(new Set(listed.map(({ server }) => server))).toEqual(new Set(['things', 'mail', 'notes', 'files']))
    const path = join(root, 'a.txt')
    writeFileSync(path, 'hello')
    expect(textOf(await agent.call('files:read_text_file', { path }))).toBe('hello')
    expect(textOf(await agent.call('notes:search_notes', { query: 'milk' }))).toContain('Groceries')
  })

  it("uses the gateway's effective hints and sources", async () => {
    const agent = await behind()
    expect(await agent.tool('things:write')).toMatchObject({
      variant: 'call_tool_destructive',
      trust: 'gateway',
      gatewayAsks: true,
      riskLevel: 3,
      effective: { destructive: { value: true, source: 'override' } },
    })
    // The files server is not vouched for at the gateway, so its tools are not reads here either.
    expect(await agent.tool('files:read_text_file')).toMatchObject({
      variant: 'call_tool_write',
      effective: { readOnly: { value: false, source: 'default' } },
    })
    expect((await agent.autoRunnable()).map(({ id }) => id)).toContain('things:look')
    expect((await agent.autoRunnable()).map(({ id }) => id)).not.toContain('things:wipe')
    expect(await agent.tool('things:look')).toMatchObject({ label: 'Safe' })
    for (const id of ['things:write', 'files:read_text_file'])
      expect(await agent.tool(id)).toMatchObject({ label: 'Requires confirmation' })
  })

  it("asks its person once, with the gateway's message", async () => {
    const { questions, confirm } = person(true)
    const agent = await behind({ confirm })
    expect(textOf(await agent.call('things:wipe', { id: 'once' }))).toContain('once')
    expect(questions).toHaveLength(1)
    expect(questions[0]).toMatchObject({ asker: 'gateway', args: { id: 'once' } })
    expect(questions[0]?.message).toContain('Wipe all')
    expect(calls('wipe', 'once')).toBe(1)
  })

  it('tells the gateway that its person denied the call', async () => {
    const agent = await behind({ confirm: person(false).confirm })
    const error = await errorOf(agent.call('things:wipe', { id: 'refused' }))
    expect(error).toMatchObject({ code: 'confirmation_denied', mayHaveRun: false })
    expect(calls('wipe', 'refused')).toBe(0)
  })

  it('says where to approve without a confirm callback, and succeeds after an approval there', async () => {
    const agent = await behind()
    const error = await errorOf(agent.call('things:wipe', { id: 'later' }))
    expect(error.code).toBe('confirmation_required')
    expect(error.remedy).toContain('hintgate approvals approve')
    await approve(gateway.site, error.facts.approval?.id ?? '')
    expect(textOf(await agent.call('things:wipe', { id: 'later' }))).toContain('later')
    expect(calls('wipe', 'later')).toBe(1)
  })

  it('passes on an earlier approval without asking again', async () => {
    const agent = await behind()
    const approved = await agent.judge('things:wipe', { id: 'approved' })
    expect(approved).toMatchObject({ verdict: 'confirm', reasons: [{ rule: 'confirm.destructive' }] })
    expect(textOf(await agent.call('things:wipe', { id: 'approved' }, { approved }))).toContain('approved')
    const other = agent.call('things:wipe', { id: 'other' }, { approved })
    expect((await errorOf(other)).code).toBe('confirmation_required')
    expect(calls('wipe', 'other')).toBe(0)
  })

  it('does not pass on an approval for a reason that was not shown', async () => {
    const agent = await behind({ session: 'told-nothing' })
    await agent.call('mail:fetch')
    await agent.call('mail:diary')
    const judged = await agent.judge('mail:send', { id: 1 })
    expect(judged.verdict).toBe('allow')
    const claimed = {
      ...judged,
      verdict: 'confirm',
      reasons: [{ rule: 'confirm.write', source: 'x', text: '' }],
    }
    const error = await errorOf(agent.call('mail:send', { id: 1 }, { approved: claimed as typeof judged }))
    expect(error.code).toBe('confirmation_required')
  })

  it('names its session, so that the risk of each session is separate', async () => {
    const tainted = await behind({ session: 'tainted' })
    await tainted.call('mail:fetch')
    await tainted.call('mail:diary')
    const error = await errorOf(tainted.call('mail:send'))
    expect(error).toMatchObject({ code: 'confirmation_required' })
    expect(error.reasons.map(({ rule }) => rule)).toContain('session.trifecta')
    const clean = await behind({ session: 'clean' })
    expect(textOf(await clean.call('mail:send'))).toContain('send')
  })

  it('can also use direct servers, and then judges session risk itself', async () => {
    const agent = await connect({
      servers: { own: NOTES, hub: { gateway: `${gateway.url}/mcp`, token } },
      rules: { trifecta: 'deny' },
    })
    expect((await agent.tools()).some(({ id }) => id === 'own:add_note')).toBe(true)
    await agent.call('mail:fetch')
    await agent.call('mail:diary')
    expect((await errorOf(agent.call('mail:send'))).code).toBe('trifecta')
  })

  it("prefers a direct server to a gateway's server of the same name", async () => {
    const own = new ScriptedServer('own-things', witness, [scripted('look')])
    const servers = { hub: { gateway: gateway.url, token }, ...asServers({ things: own.config }) }
    const agent = await connect({ servers })
    const ids = (await agent.tools()).filter(({ server }) => server === 'things').map(({ id }) => id)
    expect(ids).toEqual(['things:look', 'things:echo'])
    expect(textOf(await agent.call('things:look'))).toContain('own-things')
  })

  it('cannot connect with a wrong token', async () => {
    const wrong = connect({ servers: { hub: { gateway: gateway.url, token: 'hg_agent_wrong' } } })
    expect((await errorOf(wrong)).code).toBe('connect_failed')
  })

  it('detects a definition change that the gateway accepts', async () => {
    const agent = await behind()
    await agent.call('things:look')
    things.change([scripted('look', { description: 'Something else now.' }), ...tools.slice(1)])
    await expect.poll(async () => (await agent.tool('things:look')).change?.kind).toBe('changed')
    expect((await errorOf(agent.call('things:look'))).code).toBe('tool_changed')
    things.change(tools)
    await expect.poll(async () => (await agent.tool('things:look')).change).toBeUndefined()
  })
})
