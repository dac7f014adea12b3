import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personToken } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { decide } from '../support/confirming.ts'
import type { Gateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import {
  type Asked,
  ask,
  jsonOf,
  openThings,
  QUICK,
  startReceiver,
  startTelling,
  stateOf,
} from '../support/notifying.ts'
import { type Json, textOf } from '../support/raw-mcp.ts'
import type { Received, Receiver } from '../support/receiver.ts'
import type { ScriptedServer } from '../support/scripted-server.ts'

const SIGNING_SECRET = '8f742231b10e8888abcd99yyyzzz85a5'
const PEOPLE = {
  U1: { name: 'ada' },
  U2: { name: 'bob', role: 'operator' },
  U3: { name: 'eve', role: 'viewer' },
}

let server: ScriptedServer
let slack: Receiver
let gateway: Gateway
let viewer: string
/** The number of the last message. */
let last = 0

const bot = (more: Json = {}): Json => ({
  type: 'slack',
  name: 'chat',
  token: 'xoxb-0-token',
  channel: 'C0123',
  signingSecret: SIGNING_SECRET,
  api: `${slack.url}/api`,
  people: PEOPLE,
  retry: QUICK,
  ...more,
})

beforeAll(async () => {
  server = await openThings()
  slack = await startReceiver('Slack')
  slack.answer = ({ path }) => {
    last += 1
    const posted = path.endsWith('chat.postMessage') ? { ts: `1700000000.${last}` } : {}
    return {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ok: true, ...posted }),
    }
  }
  gateway = await startTelling(
    server,
    [bot(), bot({ name: 'money', channel: 'C9', filter: { consequences: ['pay'] } })],
    {
      confirm: { channel: 'person', approvers: [{ consequences: ['pay'], count: 2 }] },
    },
  )
  viewer = await personToken(gateway.site, 'viewer')
})
afterAll(cleanUp)

interface Posted extends Asked {
  readonly told: Received
  readonly value: string
}

const isPost = (id: string, channel: string) => (received: Received) =>
  received.path === '/api/chat.postMessage' &&
  received.text.includes(id) &&
  received.text.includes(`"${channel}"`)

async function post(args: Json, tool?: string, channel = 'C0123'): Promise<Posted> {
  const asked = await ask(gateway, args, tool)
  const told = await slack.inbox.until(isPost(asked.id, channel))
  const { blocks } = jsonOf(told) as { blocks: { type: string; elements?: { value?: string }[] }[] }
  const value = blocks.find(({ type }) => type === 'actions')?.elements?.[0]?.value ?? ''
  return { ...asked, told, value }
}

interface Pressing {
  readonly user?: string
  readonly action?: string
  readonly secret?: string
  readonly at?: number
  readonly name?: string
}

interface Request {
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

/** The request that Slack sends when somebody presses a button. */
function pressing(
  value: string,
  { user = 'U1', action = 'approve', secret = SIGNING_SECRET, at = Date.now(), name = 'chat' }: Pressing = {},
): Request {
  const payload = JSON.stringify({
    type: 'block_actions',
    user: { id: user, username: 'ada', team_id: 'T1' },
    container: { type: 'message', channel_id: 'C0123' },
    actions: [{ action_id: `hintgate_${action}`, block_id: 'hintgate_answer', value, type: 'button' }],
  })
  const body = `payload=${encodeURIComponent(payload)}`
  const time = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', secret).update(`v0:${time}:${body}`).digest('hex')
  const headers = {
    'content-type': 'application/x-www-form-urlencoded',
    'x-slack-request-timestamp': time,
    'x-slack-signature': `v0=${signature}`,
  }
  return { url: `${gateway.url}/notify/slack/${name}`, headers, body }
}

const send = async ({ url, headers, body }: Request): Promise<number> =>
  (await fetch(url, { method: 'POST', headers, body })).status

const press = (value: string, options?: Pressing): Promise<number> => send(pressing(value, options))
const approvalNow = (id: string): Promise<Json> => stateOf(gateway, id, viewer)
const whispered = (user: string, words: string) => (received: Received) =>
  received.path === '/api/chat.postEphemeral' &&
  jsonOf(received).user === user &&
  received.text.includes(words)

describe('Slack', () => {
  it('gets the question with buttons, and words of others without any markup', async () => {
    const { told, id } = await post({ id: '1', note: '<!channel> <https://evil.example|ok> *bold*' })
    expect(told.headers.authorization).toBe('Bearer xoxb-0-token')
    const sent = jsonOf(told) as { text: string; channel: string; blocks: Json[]; unfurl_links: boolean }
    expect(sent).toMatchObject({ channel: 'C0123', unfurl_links: false })
    const markup = sent.blocks.filter(({ text }) => (text as Json | undefined)?.type === 'mrkdwn')
    expect(markup).toMatchObject([
      { text: { text: `<${gateway.url}/#/approvals/${id}|Open in the console>` } },
    ])
    expect(sent.text).not.toContain('<!channel>')
    expect(JSON.stringify(sent.blocks)).toContain('confirm.destructive')
  })

  it('takes the answer of a person in the config, who is recorded, and changes the message', async () => {
    const { id, client, value } = await post({ id: '2' })
    expect(await press(value)).toBe(200)
    expect(await approvalNow(id)).toMatchObject({
      state: 'approved',
      decision: { by: 'person:ada', via: 'slack' },
    })
    const update = await slack.inbox.until(
      ({ path, text }) => path === '/api/chat.update' && text.includes(id),
    )
    expect(update.text).toContain('Approved by person:ada')
    expect(update.text).toMatch(/"ts":"1700000000\.\d+"/)
    expect(update.text).not.toContain('hintgate_answer')
    expect(textOf(await client.call('delete_thing', { id: '2' }))).toContain('2')
    const audit = await hintgate(['audit', 'query', '--json', ...gateway.site.flags])
    const { calls } = JSON.parse(audit.stdout) as { calls: Json[] }
    const approver = expect.objectContaining({ by: 'person:ada', via: 'slack' }) as object
    expect(calls).toContainEqual(expect.objectContaining({ approval: id, approver, outcome: 'answered' }))
  })

  it('refuses a request that it did not sign, is old, or was sent before', async () => {
    const { id, value } = await post({ id: '3' })
    const day = 24 * 60 * 60_000
    expect(await press(value, { secret: 'another secret of the same length' })).toBe(401)
    expect(await press(value, { at: Date.now() - 6 * 60_000 })).toBe(401)
    expect(await press(value, { at: Date.now() + day })).toBe(401)
    const good = pressing(value, { action: 'deny' })
    expect(await send({ ...good, body: good.body.replace('deny', 'approve') })).toBe(401)
    expect(await send({ ...good, headers: {} })).toBe(401)
    expect(await press(value, { name: 'nowhere' })).toBe(404)
    expect((await fetch(good.url)).status).toBe(405)
    expect(await approvalNow(id)).toMatchObject({ state: 'pending' })
    expect(await send(good)).toBe(200)
    expect(await approvalNow(id)).toMatchObject({ state: 'denied', decision: { by: 'person:ada' } })
    // A recorded answer does not count for anything again.
    expect(await send(good)).toBe(401)
  })

  it('refuses people who are not in the config, or whose role is too low, and tells them', async () => {
    const { id, value } = await post({ id: '4' })
    expect(await press(value, { user: 'U999' })).toBe(200)
    await slack.inbox.until(whispered('U999', 'not on the list of people'))
    expect(await press(value, { user: '__proto__' })).toBe(200)
    expect(await press(value, { user: 'U3' })).toBe(200)
    await slack.inbox.until(whispered('U3', 'has the role viewer'))
    expect(await approvalNow(id)).toMatchObject({ state: 'pending' })
  })

  it('refuses an answer to a question that is over, and one with the button of another channel', async () => {
    const over = await post({ id: '5' })
    await decide(gateway.site, 'deny', over.id)
    expect(await press(over.value)).toBe(200)
    await slack.inbox.until(whispered('U1', 'already denied'))
    const money = await post({ id: '6' }, 'pay_invoice', 'C9')
    expect(await press(money.value)).toBe(200)
    await slack.inbox.until(whispered('U1', 'does not belong'))
    expect(await press('made up')).toBe(200)
    expect(await approvalNow(money.id)).toMatchObject({ state: 'pending', approvedBy: [] })
  })

  it('lets a payment pass only when two different people approved it', async () => {
    const { id, client, told } = await post({ id: '7' }, 'pay_invoice')
    const { value } = { value: /"value":"([\w-]+)"/.exec(told.text)?.[1] ?? '' }
    expect(told.text).toContain('Approvals needed: 2')
    expect(await press(value)).toBe(200)
    await slack.inbox.until(whispered('U1', '1 of 2'))
    expect(await approvalNow(id)).toMatchObject({
      state: 'pending',
      approvers: 2,
      approvedBy: ['person:ada'],
    })
    // The same person again, in the chat or elsewhere, is still one.
    expect(await press(value, { at: Date.now() - 2000 })).toBe(200)
    await slack.inbox.until(whispered('U1', 'has already approved'))
    const again = await decide(gateway.site, 'approve', id, '--by', 'ada')
    expect([again.code, again.stderr]).toEqual([10, expect.stringContaining('has already approved')])
    expect(await approvalNow(id)).toMatchObject({ state: 'pending' })
    const second = await decide(gateway.site, 'approve', id, '--by', 'cleo')
    expect(second.stdout).toContain('Approved')
    const { decision } = await approvalNow(id)
    expect(decision).toMatchObject({ by: 'person:ada, person:cleo', via: 'slack, cli' })
    expect(textOf(await client.call('pay_invoice', { id: '7' }))).toContain('7')
  })

  it('ends a joint question with one denial', async () => {
    const { id, value } = await post({ id: '8' }, 'pay_invoice')
    expect((await decide(gateway.site, 'approve', id, '--by', 'cleo')).stdout).toContain('1 of 2')
    expect(await press(value, { user: 'U2', action: 'deny' })).toBe(200)
    expect(await approvalNow(id)).toMatchObject({ state: 'denied', decision: { by: 'person:bob' } })
  })

  it('that refuses the message is a dead letter with its reason', async () => {
    const strict = await startReceiver('Slack without access')
    strict.answer = () => ({ status: 200, body: '{"ok":false,"error":"channel_not_found"}' })
    const other = await startTelling(server, [bot({ api: strict.url })])
    await ask(other, { id: '1' })
    await other.says(/Slack says channel_not_found \(attempts: 1\)/)
  })

  it('is told by an incoming webhook too, without buttons', async () => {
    const hook = await startReceiver('the incoming webhook')
    const other = await startTelling(server, [
      { type: 'slack', name: 'hook', url: `${hook.url}/services/T/B/x` },
    ])
    const { id } = await ask(other, { id: '1' })
    const told = await hook.inbox.until(({ path }) => path === '/services/T/B/x')
    expect(told.text).toContain(id)
    expect(told.text).not.toContain('hintgate_answer')
    expect(
      (await fetch(`${other.url}/notify/slack/hook`, { method: 'POST', body: 'payload={}' })).status,
    ).toBe(404)
  })
})
