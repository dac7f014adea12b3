import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminWith, personToken } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { approve, decide, waitingFor } from '../support/confirming.ts'
import { type Gateway, type GatewayConfig, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { ask as askPerson, openThings, QUICK, startReceiver, startTelling } from '../support/notifying.ts'
import { type Json, ModernClient, textOf } from '../support/raw-mcp.ts'
import type { Received, Receiver } from '../support/receiver.ts'
import type { ScriptedServer } from '../support/scripted-server.ts'

const SECRET = 'a secret that only these two know'

let server: ScriptedServer

beforeAll(async () => {
  server = await openThings()
})
afterAll(cleanUp)

const channel = (receiver: Receiver, more: Json = {}): Json => ({
  type: 'webhook',
  name: 'ops',
  url: `${receiver.url}/hook?key=hidden`,
  secret: SECRET,
  retry: QUICK,
  ...more,
})

const start = (notify: readonly Json[], more: GatewayConfig = {}): Promise<Gateway> =>
  startTelling(server, notify, { publicUrl: 'https://gate.example', ...more })

const ask = async (gateway: Gateway, args: Json, tool?: string): Promise<string> =>
  (await askPerson(gateway, args, tool)).id

interface Event {
  readonly id: string
  readonly type: string
  readonly approval: Json & { readonly id: string }
  readonly ending?: Json
}

const eventOf = ({ text }: Received): Event => JSON.parse(text) as Event
const tellsOf = (id: string, type: string) => (received: Received) =>
  eventOf(received).approval.id === id && eventOf(received).type === type

/** What a receiver does with every message. */
function verify({ headers, text }: Received): boolean {
  const time = String(headers['x-hintgate-timestamp'])
  const expected = `v1=${createHmac('sha256', SECRET).update(`${time}.${text}`).digest('hex')}`
  return headers['x-hintgate-signature'] === expected && Math.abs(Date.now() / 1000 - Number(time)) < 300
}

describe('a webhook', () => {
  it('gets the question with a signature, and how it ended', async () => {
    const receiver = await startReceiver('the webhook')
    const gateway = await start([channel(receiver, { headers: { 'x-team': 'ops' } })])
    const client = new ModernClient(gateway.endpoint('things'), await gateway.site.token())
    const args = { id: '7', note: '<!channel> *bold*', key: 'sk_live_4eC39HqLyjWDarjtT1zdp7dc' }
    const { id } = waitingFor(await client.call('delete_thing', args))
    const asked = await receiver.inbox.until(tellsOf(id, 'approval.requested'))
    expect(verify(asked)).toBe(true)
    expect(asked.headers['x-team']).toBe('ops')
    const { approval } = eventOf(asked)
    expect(approval).toMatchObject({
      server: 'things',
      tool: 'delete_thing',
      variant: 'destructive',
      agent: 'agent-1',
      approvers: 1,
      isCut: false,
      link: `https://gate.example/#/approvals/${id}`,
    })
    expect(approval.action).toContain('Delete thing')
    expect(approval.reasons).toMatchObject([{ rule: 'confirm.destructive' }])
    // Secrets are masked as for every approver.
    expect(approval.arguments).toContain('"id":"7"')
    expect(asked.text).not.toContain('4eC39HqLyjWDarjtT1zdp7dc')
    await approve(gateway.site, id, '--by', 'ada')
    const closed = await receiver.inbox.until(tellsOf(id, 'approval.closed'))
    expect(verify(closed)).toBe(true)
    expect(eventOf(closed).ending).toMatchObject({ state: 'approved', by: 'person:ada', via: 'cli' })
    expect(textOf(await client.call('delete_thing', args))).toContain('7')
    // A repeated call that waits for the same approval is told of once.
    expect(receiver.inbox.items).toHaveLength(2)
  })

  it('that is down gets the message when it is back, under the same delivery id', async () => {
    const receiver = await startReceiver('the webhook that was down')
    const gateway = await start([channel(receiver)])
    const seen: string[] = []
    receiver.answer = ({ headers }) => {
      seen.push(String(headers['x-hintgate-delivery']))
      return { status: seen.length < 3 ? 503 : 200 }
    }
    const first = await ask(gateway, { id: 'a' })
    await expect.poll(() => seen.length).toBe(3)
    expect(new Set(seen)).toEqual(new Set([`${first}.asked.ops`]))
    receiver.stop()
    const second = await ask(gateway, { id: 'b' })
    const token = await personToken(gateway.site, 'viewer')
    const retried = async (): Promise<number> => {
      const text = await metricsOf(gateway, token)
      return Number(/notifications_total\{channel="ops",result="retried"\} (\d+)/.exec(text)?.[1] ?? 0)
    }
    const before = await retried()
    await expect.poll(retried).toBeGreaterThan(before + 1)
    await receiver.start()
    expect(verify(await receiver.inbox.until(tellsOf(second, 'approval.requested')))).toBe(true)
  })

  it('that refuses is a dead letter, which doctor shows without secrets, also after a restart', async () => {
    const receiver = await startReceiver('the webhook that refuses')
    receiver.answer = () => ({ status: 403, body: SECRET })
    const gateway = await start([channel(receiver)])
    const id = await ask(gateway, { id: 'a' })
    await gateway.says(new RegExp(`could not deliver the message about ${id}: HTTP 403 \\(attempts: 1\\)`))
    await gateway.stop()
    const { stdout, code } = await hintgate(['doctor', '--json', ...gateway.site.flags])
    const { findings } = JSON.parse(stdout) as { findings: { code: string; text: string }[] }
    const found = findings.find(finding => finding.code === 'notify_failed')
    expect(code).toBe(1)
    expect(found?.text).toMatch(/^notify ops: one message about approvals .*HTTP 403$/)
    expect(stdout).not.toContain(SECRET)
    expect(stdout).not.toContain('hidden')
    // It is not tried again for ever.
    receiver.answer = () => ({ status: 200 })
    const count = receiver.inbox.items.length
    const again = await startGatewayAt(gateway.site)
    const next = await ask(again, { id: 'c' })
    await receiver.inbox.until(tellsOf(next, 'approval.requested'))
    expect(receiver.inbox.items).toHaveLength(count + 1)
  })

  it('that was down when the gateway stopped gets the message after the restart', async () => {
    const receiver = await startReceiver('the webhook after a restart')
    receiver.stop()
    const gateway = await start([channel(receiver)])
    const id = await ask(gateway, { id: 'a' })
    await gateway.stop()
    await receiver.start()
    await startGatewayAt(gateway.site)
    await receiver.inbox.until(tellsOf(id, 'approval.requested'))
  })

  it('hears of an end that was decided while no gateway ran', async () => {
    const receiver = await startReceiver('the webhook that missed the end')
    const gateway = await start([channel(receiver)])
    const id = await ask(gateway, { id: 'a' })
    await receiver.inbox.until(tellsOf(id, 'approval.requested'))
    await gateway.stop()
    await decide(gateway.site, 'deny', id)
    await startGatewayAt(gateway.site)
    const closed = await receiver.inbox.until(tellsOf(id, 'approval.closed'))
    expect(eventOf(closed).ending).toMatchObject({ state: 'denied' })
  })

  it('hears of a question that expired', async () => {
    const receiver = await startReceiver('the webhook that hears of expiry')
    const gateway = await start([channel(receiver)], { confirm: { channel: 'person', expires: '300ms' } })
    const id = await ask(gateway, { id: 'a' })
    const closed = await receiver.inbox.until(tellsOf(id, 'approval.closed'))
    expect(eventOf(closed).ending).toMatchObject({ state: 'expired' })
  })

  it('slows no call, even if it never answers', async () => {
    const receiver = await startReceiver('the webhook that hangs')
    receiver.answer = () => undefined
    const gateway = await start([channel(receiver)])
    const client = new ModernClient(gateway.endpoint('things'), await gateway.site.token())
    const ids = await Promise.all(
      Array.from(
        { length: 50 },
        async (_, at) => waitingFor(await client.call('delete_thing', { id: at })).id,
      ),
    )
    expect(new Set(ids).size).toBe(50)
    // Only a few messages are on their way at once, and none of them has ended.
    await expect.poll(() => receiver.inbox.items.length).toBe(4)
    const metrics = await metricsOf(gateway, await personToken(gateway.site, 'viewer'))
    expect(metrics).toContain('notifications_waiting{channel="ops"} 50')
    expect(metrics).toContain('result="sent"} 0')
  })
})

describe('filters and escalation', () => {
  it('tell each channel only what it is for, and the next one only what nobody has decided', async () => {
    const [now, later, money] = await Promise.all(['first', 'second', 'third'].map(startReceiver))
    if (now === undefined || later === undefined || money === undefined) throw new Error('not started')
    const gateway = await start([
      channel(now, { name: 'now' }),
      channel(later, { name: 'later', after: '3s' }),
      channel(money, { name: 'money', filter: { consequences: ['pay'], servers: ['th*'] } }),
      channel(money, { name: 'others', filter: { servers: ['crm'] } }),
    ])
    const admin = await adminWith(gateway, 'approver')
    const answered = await ask(gateway, { id: 'answered' })
    await now.inbox.until(tellsOf(answered, 'approval.requested'))
    await admin.decideApproval({ params: { id: answered }, body: { decision: 'deny' } })
    const paid = await ask(gateway, { id: 'paid' }, 'pay_invoice')
    await money.inbox.until(tellsOf(paid, 'approval.requested'))
    await later.inbox.until(tellsOf(paid, 'approval.requested'))
    expect(later.inbox.items.map(one => eventOf(one).approval.id)).toEqual([paid])
    expect(money.inbox.items.map(one => eventOf(one).approval.id)).toEqual([paid])
  })
})

async function metricsOf(gateway: Gateway, token: string): Promise<string> {
  const answer = await fetch(`${gateway.url}/metrics`, { headers: { authorization: `Bearer ${token}` } })
  return answer.text()
}
