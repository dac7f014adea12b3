import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { AdminClient } from '../../packages/gateway/src/admin/client.ts'
import { adminWith, codeOf } from '../support/admin.ts'
import { openBrowser, openPage, visit } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startGatewayAt } from '../support/gateway.ts'
import { answerLinkIn, ask, openThings, QUICK, startReceiver, startTelling } from '../support/notifying.ts'
import { peerFile } from '../support/peers.ts'
import { type Json, textOf } from '../support/raw-mcp.ts'
import type { Received, Receiver } from '../support/receiver.ts'
import type { ScriptedServer } from '../support/scripted-server.ts'

interface Ece {
  decrypt(body: Buffer, options: object): Buffer
}

const ece = createRequire(import.meta.url)(peerFile('http_ece')) as Ece

/** What a browser keeps for one subscription. */
class FakeBrowser {
  readonly #key = createECDH('prime256v1')
  readonly #auth = randomBytes(16)
  readonly endpoint: string

  constructor(endpoint: string) {
    this.endpoint = endpoint
    this.#key.generateKeys()
  }

  get subscription() {
    const keys = { p256dh: this.#key.getPublicKey('base64url'), auth: this.#auth.toString('base64url') }
    return { endpoint: this.endpoint, keys }
  }

  decrypt({ body }: Received): Json {
    const options = { version: 'aes128gcm', privateKey: this.#key, authSecret: this.#auth }
    return JSON.parse(ece.decrypt(body, options).toString()) as Json
  }
}

let things: ScriptedServer
let service: Receiver
let gateway: Gateway
let admin: AdminClient

const browser = (): Json => ({
  type: 'browser',
  name: 'browsers',
  contact: 'mailto:ops@example.com',
  services: [service.url],
  retry: QUICK,
})

beforeAll(async () => {
  things = await openThings()
  service = await startReceiver('the push service')
  gateway = await startTelling(things, [browser()])
  admin = await adminWith(gateway, 'approver')
})
afterAll(cleanUp)

const at = (path: string) => (received: Received) => received.path === path

/** What a push service checks: RFC 8292. */
function readAuthorization({ headers }: Received, publicKey: string): Json {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(String(headers.authorization)) ?? []
  expect(key).toBe(publicKey)
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map(part => part.toString('base64url'))
  const jwk = { kty: 'EC', crv: 'P-256', x: x ?? '', y: y ?? '' }
  const [head = '', claims = '', signature = ''] = token.split('.')
  const signer = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
  expect(
    verify('sha256', Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature, 'base64url')),
  ).toBe(true)
  return JSON.parse(Buffer.from(claims, 'base64url').toString()) as Json
}

describe('a browser', () => {
  it('gets the question encrypted, which only it can read, and by the key of this gateway', async () => {
    const { publicKey = '' } = await admin.getPush()
    const one = new FakeBrowser(`${service.url}/send/one`)
    await admin.subscribePush({ body: one.subscription })
    const { id } = await ask(gateway, { id: '1' })
    const told = await service.inbox.until(at('/send/one'))
    expect(told.headers).toMatchObject({ 'content-encoding': 'aes128gcm', urgency: 'high' })
    expect(Number(told.headers.ttl)).toBeGreaterThan(500)
    expect(told.body.includes('Delete thing')).toBe(false)
    expect(told.body.length).toBeLessThanOrEqual(4096)
    expect(one.decrypt(told)).toMatchObject({ id, title: expect.stringContaining('Delete thing') })
    expect(() => new FakeBrowser('x').decrypt(told)).toThrow()
    const claims = readAuthorization(told, publicKey)
    expect(claims).toMatchObject({ aud: service.url, sub: 'mailto:ops@example.com' })
    expect(Number(claims.exp)).toBeLessThan(Date.now() / 1000 + 24 * 60 * 60)
    // The key survives a restart, or all browsers would have to subscribe again.
    await gateway.stop()
    gateway = await startGatewayAt(gateway.site)
    admin = await adminWith(gateway, 'operator')
    expect((await admin.getPush()).publicKey).toBe(publicKey)
    await ask(gateway, { id: '2' })
    await expect.poll(() => service.inbox.items.filter(at('/send/one')).length).toBe(2)
  })

  it('that is gone is forgotten, and one that is busy is tried again, alone', async () => {
    const [gone, busy, fine] = ['gone', 'busy', 'fine'].map(
      name => new FakeBrowser(`${service.url}/send/${name}`),
    )
    let left = 2
    service.answer = ({ path }) => {
      if (path === '/send/gone') return { status: 410 }
      if (path === '/send/busy' && left-- > 0) return { status: 429 }
      return { status: 201 }
    }
    for (const one of [gone, busy, fine])
      if (one !== undefined) await admin.subscribePush({ body: one.subscription })
    await ask(gateway, { id: '3' })
    const count = (name: string): number => service.inbox.items.filter(at(`/send/${name}`)).length
    await expect.poll(() => count('busy')).toBe(3)
    expect([count('fine'), count('gone')]).toEqual([1, 1])
    await ask(gateway, { id: '4' })
    await expect.poll(() => count('fine')).toBe(2)
    expect(count('gone')).toBe(1)
  })

  it('is told no longer when its person turned that off, and no other person can do that', async () => {
    const one = new FakeBrowser(`${service.url}/send/off`)
    const { endpoint } = one
    await admin.subscribePush({ body: one.subscription })
    const other = await adminWith(gateway, 'admin')
    expect(await other.unsubscribePush({ body: { endpoint } })).toEqual({ removed: false })
    expect(await admin.unsubscribePush({ body: { endpoint } })).toEqual({ removed: true })
    await ask(gateway, { id: '5' })
    await expect.poll(() => service.inbox.items.filter(at('/send/fine')).length).toBe(3)
    expect(service.inbox.items.some(at('/send/off'))).toBe(false)
  })

  it.each([
    ['an address without encryption', { endpoint: 'http://push.example/x' }],
    ['no address', { endpoint: 'push' }],
    [
      'a point that is not on the curve',
      { keys: { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth: 'A'.repeat(22) } },
    ],
    ['a short secret', { keys: { ...new FakeBrowser('x').subscription.keys, auth: 'AAAA' } }],
  ])('is not accepted with %s', async (_, wrong) => {
    const body = { ...new FakeBrowser('https://push.example/x').subscription, ...wrong }
    expect(await codeOf(admin.subscribePush({ body }))).toBe('push_refused')
  })

  it('never makes the gateway reach a private address that the operator did not name', async () => {
    const private_ = await startReceiver('an internal service')
    const endpoint = `https://127.0.0.1:${new URL(private_.url).port}/x`
    await admin.subscribePush({ body: new FakeBrowser(endpoint).subscription })
    await ask(gateway, { id: '6' })
    await gateway.says(
      /notify browsers: could not deliver the message about \S+: the address is not on the public internet/,
    )
    expect(private_.inbox.items).toEqual([])
    await admin.unsubscribePush({ body: { endpoint } })
  })

  it('is not for viewers, and not without a channel for browsers', async () => {
    const viewer = await adminWith(gateway, 'viewer')
    expect(await codeOf(viewer.getPush())).toBe('role_needed')
    const without = await startTelling(things, [])
    const there = await adminWith(without, 'approver')
    expect(await there.getPush()).toEqual({})
    const { subscription } = new FakeBrowser('https://push.example/x')
    expect(await codeOf(there.subscribePush({ body: subscription }))).toBe('push_refused')
  })

  it('opens a link that answers, and answers with the button', async () => {
    const phone = await startReceiver('the phone')
    const person = { name: 'ada' }
    const other = await startTelling(things, [{ type: 'ntfy', name: 'phone', url: `${phone.url}/t`, person }])
    const { id, client } = await ask(other, { id: '7' })
    const told = await phone.inbox.until(({ text }) => text.includes(id))
    // The content policy lets the form through, and the origin that the browser sends is accepted.
    const { page, problems } = await openPage(await openBrowser(), other)
    await page.goto(answerLinkIn(told.text))
    expect(await page.locator('h1').innerText()).toContain('wants to: Delete thing: 7')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Approved. The agent can make this call once.').waitFor()
    expect(problems).toEqual([])
    expect(textOf(await client.call('delete_thing', { id: '7' }))).toContain('7')
  })

  it('shows in the console how many people have approved', async () => {
    const confirm = { channel: 'person', approvers: [{ consequences: ['pay'], count: 2 }] }
    const joint = await startTelling(things, [], { confirm })
    const { id } = await ask(joint, { id: '8' }, 'pay_invoice')
    const { page, problems, go } = await visit(await openBrowser(), joint)
    await go(`/approvals/${id}`)
    await page.getByText('0 of 2 have approved').waitFor()
    await page
      .getByRole('button', { name: /^Approve/ })
      .first()
      .click()
    await page.getByText('1 of 2 have approved').waitFor()
    expect(problems).toEqual([])
  })

  it('runs the service worker of the console', async () => {
    const { page, problems } = await visit(await openBrowser(), gateway)
    const scope = await page.evaluate(
      `navigator.serviceWorker.register('/service-worker.js').then(() => navigator.serviceWorker.ready).then(ready => ready.scope)`,
    )
    expect(scope).toBe(`${gateway.url}/`)
    expect(problems).toEqual([])
  })
})
