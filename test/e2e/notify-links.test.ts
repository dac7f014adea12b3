import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { personToken } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import type { Gateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import {
  answerLinkIn,
  ask,
  jsonOf,
  openThings,
  press,
  QUICK,
  startReceiver,
  startTelling,
  stateOf,
} from '../support/notifying.ts'
import { type Json, refusalOf, textOf } from '../support/raw-mcp.ts'
import type { Receiver } from '../support/receiver.ts'
import type { ScriptedServer } from '../support/scripted-server.ts'

let server: ScriptedServer
let phone: Receiver
let gateway: Gateway
let viewer: string

const ntfy = (more: Json = {}): Json => ({
  type: 'ntfy',
  name: 'phone',
  url: `${phone.url}/base/ada-topic`,
  token: 'tk_something',
  retry: QUICK,
  person: { name: 'ada' },
  ...more,
})

beforeAll(async () => {
  server = await openThings()
  phone = await startReceiver('the phone')
  gateway = await startTelling(server, [ntfy()])
  viewer = await personToken(gateway.site, 'viewer')
})
afterAll(cleanUp)

/** Asks, and returns what the phone got. */
async function askOnPhone(args: Json) {
  const asked = await ask(gateway, args)
  const told = await phone.inbox.until(({ text }) => text.includes(asked.id))
  return { ...asked, told, link: answerLinkIn(told.text) }
}

const stateNow = async (id: string): Promise<unknown> => (await stateOf(gateway, id, viewer)).state

describe('a message on the phone of one person', () => {
  it('has the question as plain text, and buttons that send a POST', async () => {
    const { told, link, id } = await askOnPhone({ id: '1', note: '<b>' })
    expect([told.method, told.path, told.headers.authorization]).toEqual([
      'POST',
      '/base/',
      'Bearer tk_something',
    ])
    const sent = jsonOf(told)
    expect(sent).toMatchObject({ topic: 'ada-topic', click: link })
    expect(String(sent.message)).toMatch(/^agent-\d+ wants to: Delete thing/)
    expect(String(sent.message)).toContain('Until: ')
    expect(sent.actions).toMatchObject([
      { action: 'http', label: 'Approve', method: 'POST', url: link, body: 'decision=approve' },
      { action: 'http', label: 'Deny', method: 'POST', url: link, body: 'decision=deny' },
    ])
    expect(link).not.toContain(id)
  })

  it('is answered once, as this person, and the call then runs once', async () => {
    const { id, client, link } = await askOnPhone({ id: '2' })
    const answer = await press(link, 'approve')
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('Approved.')])
    expect(await stateOf(gateway, id, viewer)).toMatchObject({
      state: 'approved',
      decision: { by: 'person:ada', via: 'link' },
    })
    expect(textOf(await client.call('delete_thing', { id: '2' }))).toContain('2')
    // The link is used up, for either answer.
    for (const decision of ['approve', 'deny']) {
      const late = await press(link, decision)
      expect([late.status, await late.text()]).toEqual([
        410,
        expect.stringContaining('Approved by person:ada'),
      ])
    }
    expect(refusalOf(await client.call('delete_thing', { id: '2' }))).toBe('confirmation_required')
  })

  it('is not answered by a preview, a scanner, or anything but a complete POST', async () => {
    const { id, link } = await askOnPhone({ id: '3' })
    for (const method of ['GET', 'HEAD'])
      for (const url of [link, `${link}?decision=approve`]) {
        const seen = await fetch(url, { method })
        expect([method, seen.status]).toEqual([method, 200])
        expect(seen.headers.get('cache-control')).toBe('no-store')
        expect(seen.headers.get('referrer-policy')).toBe('same-origin')
        expect(seen.headers.get('content-security-policy')).toContain("default-src 'none'")
        expect(seen.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
        const page = await seen.text()
        if (method === 'HEAD') expect(page).toBe('')
        else expect(page).toContain('answering as ada')
      }
    expect((await fetch(link, { method: 'PUT', body: 'decision=approve' })).status).toBe(405)
    expect((await press(link, 'maybe')).status).toBe(400)
    expect((await press(link, `approve${'x'.repeat(1000)}`)).status).toBe(400)
    expect((await press(link, 'approve', { origin: 'https://elsewhere.example' })).status).toBe(403)
    expect(await stateNow(id)).toBe('pending')
    expect((await press(link, 'deny', { origin: gateway.url })).status).toBe(200)
    expect(await stateNow(id)).toBe('denied')
  })

  it('shows the words of others as text', async () => {
    const { link } = await askOnPhone({ id: '</dd><script>alert(1)</script>' })
    const page = await (await fetch(link)).text()
    expect(page).not.toContain('<script')
    expect(page).toContain('&lt;script&gt;')
  })

  it('is not answered with a link that was changed or made up', async () => {
    const { id, link } = await askOnPhone({ id: '4' })
    const end = link.at(-5) === 'A' ? 'B' : 'A'
    for (const wrong of [
      `${link.slice(0, -5)}${end}${link.slice(-4)}`,
      `${link}A`,
      link.replace(/[^/]+$/, id),
    ])
      expect((await press(wrong, 'approve')).status).toBe(404)
    expect(await stateNow(id)).toBe('pending')
  })

  it('is not answered by the person who made the call', async () => {
    const caller = await startReceiver('the phone of the caller')
    const own = await startTelling(server, [ntfy({ url: `${caller.url}/cli`, person: { name: 'cli' } })])
    // A process of its own makes this call, and the gateway hears of it through the store.
    const args = ['things:delete_thing', '{"id":"5"}', '--variant', 'destructive', '--json']
    expect((await hintgate(['call', ...args, ...own.site.flags])).code).toBe(11)
    const told = await caller.inbox.until(() => true)
    const answer = await press(answerLinkIn(told.text), 'approve')
    expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('cannot approve it')])
  })

  it('is no longer answered when the config does not name the person any more', async () => {
    const { id, link } = await askOnPhone({ id: '6' })
    gateway.site.configure({
      confirm: { channel: 'person' },
      mcpServers: { things: server.config },
      notify: [ntfy({ person: { name: 'ada', role: 'viewer' } })],
    })
    await gateway.says(/reloaded the configuration/)
    expect((await press(link, 'approve')).status).toBe(409)
    expect(await stateNow(id)).toBe('pending')
    // New messages of a person who may not answer have no link that answers.
    const next = await ask(gateway, { id: '7' })
    const told = await phone.inbox.until(({ text }) => text.includes(next.id))
    expect(told.text).not.toContain('/notify/answer/')
    expect(jsonOf(told).click).toBe(`${gateway.url}/#/approvals/${next.id}`)
  })
})

describe('the other services', () => {
  it('get the same text in their own form', async () => {
    const receiver = await startReceiver('gotify and teams')
    const others = await startTelling(server, [
      {
        type: 'gotify',
        name: 'gotify',
        url: `${receiver.url}/g/`,
        token: 'app-token',
        person: { name: 'ada' },
      },
      { type: 'teams', name: 'teams', url: `${receiver.url}/workflow?sig=secret` },
    ])
    const { id } = await ask(others, { id: '[click](https://evil.example) **now**' })
    const gotify = await receiver.inbox.until(({ path }) => path === '/g/message')
    expect(gotify.headers['x-gotify-key']).toBe('app-token')
    const { message, extras } = jsonOf(gotify) as { message: string; extras: Json }
    expect(message).toContain('wants to: Delete thing')
    expect(extras).toMatchObject({
      'client::display': { contentType: 'text/plain' },
      'client::notification': { click: { url: answerLinkIn(gotify.text) } },
    })
    const teams = await receiver.inbox.until(({ path }) => path === '/workflow?sig=secret')
    const [card] = jsonOf(teams).attachments as { contentType: string; content: Json }[]
    expect(card?.contentType).toBe('application/vnd.microsoft.card.adaptive')
    expect(card?.content).toMatchObject({
      type: 'AdaptiveCard',
      actions: [
        { type: 'Action.OpenUrl', title: 'Open in the console', url: `${others.url}/#/approvals/${id}` },
      ],
    })
    // Without an only reader, nothing in it answers.
    expect(teams.text).not.toContain('/notify/answer/')
    const blocks = card?.content.body as { type: string }[]
    expect(new Set(blocks.map(({ type }) => type))).toEqual(new Set(['RichTextBlock']))
  })
})
