import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AdminClient } from '../../packages/gateway/src/admin/client.ts'
import { adminWith, codeOf, personToken } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { waitingFor } from '../support/confirming.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { ModernClient, textOf } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { callsSeenBy, EVERYTHING } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

afterAll(cleanUp)

let witness: Witness
let gateway: Gateway
let agent: ModernClient
let approver: AdminClient
let viewer: AdminClient
let operator: AdminClient

const tools = [
  scripted('destroy', { annotations: DESTROYS, title: 'Destroy a thing' }),
  scripted('write', { annotations: WRITES }),
]

beforeAll(async () => {
  witness = await openWitness()
  const server = new ScriptedServer('things', witness, tools)
  gateway = await startReadyGateway({
    confirm: { remember: ['session'] },
    mcpServers: { things: server.config },
  })
  agent = new ModernClient(gateway.endpoint(), await gateway.site.token({ permissions: EVERYTHING }))
  approver = await adminWith(gateway, 'approver')
  viewer = await adminWith(gateway, 'viewer')
  operator = await adminWith(gateway, 'operator')
})

const destroy = (id: string) => agent.call('things__destroy', { id })

async function timesDestroyed(id: string): Promise<number> {
  const seen = await callsSeenBy('things', witness, mark => agent.call('things__echo', mark))
  return seen.filter(call => call.name === 'destroy' && JSON.stringify(call.arguments).includes(id)).length
}

/** The approval for a tool and its argument. */
async function ask(id: string): Promise<string> {
  return waitingFor(await destroy(id)).id
}

describe('an approval', () => {
  it('shows everything needed to decide it', async () => {
    const id = await ask('first')
    const { items } = await viewer.listApprovals({ query: { state: 'pending' } })
    expect(items.find(one => one.id === id)).toMatchObject({
      state: 'pending',
      server: 'things',
      tool: 'destroy',
      title: 'Destroy a thing',
      variant: 'destructive',
      arguments: { id: 'first' },
      hints: { destructive: { value: true, source: 'declared' } },
      reasons: [{ rule: 'confirm.destructive' }],
      canRemember: ['session'],
    })
    expect(await viewer.getApproval({ params: { id } })).toMatchObject({ id, state: 'pending' })
    expect(await codeOf(viewer.getApproval({ params: { id: 'ap_nothing' } }))).toBe('not_found')
  })

  it('is answered once, and the call runs once', async () => {
    const id = await ask('second')
    const decide = (client: AdminClient, decision: 'approve' | 'deny') =>
      client.decideApproval({ params: { id }, body: { decision, note: 'fine' } })
    expect(await codeOf(decide(viewer, 'approve'))).toBe('role_needed')
    expect(await timesDestroyed('second')).toBe(0)
    expect(await decide(approver, 'approve')).toMatchObject({
      state: 'approved',
      decision: { by: 'person:approver', via: 'console', note: 'fine' },
    })
    expect(await codeOf(decide(approver, 'deny'))).toBe('already_decided')
    expect(textOf(await destroy('second'))).toContain('second')
    expect(await timesDestroyed('second')).toBe(1)
    expect(waitingFor(await destroy('second')).id).not.toBe(id)
    expect(await timesDestroyed('second')).toBe(1)
    const { items } = await viewer.listApprovals({ query: { state: 'all' } })
    expect(items.find(one => one.id === id)?.state).toBe('spent')
  })

  it('accepts one of two concurrent answers', async () => {
    const id = await ask('third')
    const answers = await Promise.all(
      (['approve', 'deny'] as const).map(decision =>
        codeOf(approver.decideApproval({ params: { id }, body: { decision } })),
      ),
    )
    expect(answers.toSorted()).toEqual(['already_decided', 'done'])
  })

  it('may be remembered when the config allows it', async () => {
    const id = await ask('fourth')
    const decide = (remember: 'session' | 'arguments') =>
      approver.decideApproval({ params: { id }, body: { decision: 'approve', remember } })
    expect(await codeOf(decide('arguments'))).toBe('approval_once')
    await decide('session')
    expect(textOf(await destroy('fourth'))).toContain('fourth')
    expect(textOf(await destroy('fourth'))).toContain('fourth')
  })

  it('is announced in the event stream, as is its answer', async () => {
    const abort = new AbortController()
    const stream = await fetch(`${gateway.url}/api/v1/events`, {
      headers: { authorization: `Bearer ${await personToken(gateway.site, 'viewer', 'listener')}` },
      signal: abort.signal,
    })
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
    let heard = ''
    const until = async (text: string): Promise<void> => {
      while (reader !== undefined && !heard.includes(text)) heard += (await reader.read()).value ?? ''
    }
    const other = new ModernClient(gateway.endpoint(), await gateway.site.token({ permissions: EVERYTHING }))
    const id = waitingFor(await other.call('things__destroy', { id: 'heard' })).id
    await until(`"type":"approval.requested","data":{"id":"${id}"`)
    await until('"type":"call.ended"')
    await other.call('things__write', { id: 'risk-factor' })
    await until('"type":"session.risk_factor"')
    await approver.decideApproval({ params: { id }, body: { decision: 'deny' } })
    await until(`"type":"approval.decided","data":{"id":"${id}"`)
    expect(heard).toContain('"verdict":"denied"')
    abort.abort()
  })
})

describe('the audit log over the admin API', () => {
  it('lists every call by page, filtered and searched', async () => {
    for (const id of ['alpha', 'beta', 'gamma']) await agent.call('things__write', { id })
    const page = await viewer.listActivity({ query: { tool: 'write', limit: 2 } })
    expect(page.items.map(({ outcome, variant }) => [outcome, variant])).toEqual([
      ['answered', 'write'],
      ['answered', 'write'],
    ])
    const rest = await viewer.listActivity({ query: { tool: 'write', limit: 2, cursor: page.next ?? '' } })
    expect(rest.items.length).toBe(2)
    expect(rest.next).toBeUndefined()
    const { items } = await viewer.listActivity({
      query: { text: 'DESTROY a thing', code: 'confirmation_required' },
    })
    expect(items.length).toBeGreaterThan(0)
    expect(new Set(items.map(({ tool }) => tool))).toEqual(new Set(['destroy']))
    expect((await viewer.listActivity({ query: { text: 'nothing like this' } })).items).toEqual([])
    expect((await viewer.listActivity({ query: { since: '1h', until: '1h' } })).items).toEqual([])
    expect(await codeOf(viewer.listActivity({ query: { since: 'soon' } }))).toBe('invalid_request')
  })

  it('shows one call in full, with secrets masked', async () => {
    const secret = `ghp_${'a1B2c3D4e5F6'.repeat(3)}`
    await agent.call('things__write', { id: 'x', note: secret })
    const { items } = await viewer.listActivity({ query: { tool: 'write', limit: 1 } })
    const request = items[0]?.request ?? ''
    const call = await viewer.getActivity({ params: { request } })
    expect(call).toMatchObject({ request, tool: 'write', outcome: 'answered', attempts: 1, door: 'direct' })
    expect(call.rows.length).toBe(2)
    expect(JSON.stringify(call)).not.toContain(secret)
    expect(await codeOf(viewer.getActivity({ params: { request: 'nothing' } }))).toBe('not_found')
  })

  it('is exported and verified', async () => {
    const response = await viewer.exportActivity({ query: { tool: 'write', format: 'ocsf' } })
    const lines = (await response.text()).trim().split('\n')
    expect(lines.length).toBe(5)
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ class_uid: 6003 })
    const some = await viewer.exportActivity({ query: { text: 'destroy a thing' } })
    expect(await some.text()).not.toContain('"tool":"write"')
    expect(await viewer.getChain()).toMatchObject({ isRunning: false })
    const chain = await operator.verifyChain()
    expect(chain).toMatchObject({ problemCount: 0, problems: [] })
    expect(chain.rows).toBeGreaterThan(8)
    expect((await viewer.getChain()).verifiedAt).toBe(chain.verifiedAt)
  })

  it('is summarised', async () => {
    const { totals, buckets, latency, servers } = await viewer.overview({ query: { window: '1h' } })
    expect(totals.write).toBe(5)
    expect(totals.asked).toBeGreaterThan(0)
    expect(buckets.length).toBeGreaterThanOrEqual(60)
    expect(buckets.reduce((sum, bucket) => sum + bucket.write, 0)).toBe(5)
    expect(latency.p99).toBeGreaterThan(0)
    expect(servers).toEqual({ ready: 1, starting: 0, down: 0, total: 1 })
    await agent.call('things__write', { id: 'one more' })
    expect((await viewer.overview()).totals.write).toBe(6)
    expect(await viewer.welcome()).toMatchObject({ servers: 1, agents: 2 })
  })
})

describe('a session over the admin API', () => {
  it('shows what it has touched and by which call, until it is reset', async () => {
    const { items } = await viewer.listSessions()
    const [session] = items
    expect(session?.riskFactors.length).toBeGreaterThan(0)
    const id = session?.id ?? ''
    const page = await viewer.getSession({ params: { id } })
    expect(page.calls.map(({ request }) => request)).toContain(page.riskFactors[0]?.request)
    expect(await operator.resetSession({ params: { id } })).toMatchObject({
      id,
      level: 'none',
      riskFactors: [],
    })
    expect(await codeOf(viewer.getSession({ params: { id: 'nobody' } }))).toBe('not_found')
  })
})
