import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import type { Gateway } from '../support/gateway.ts'
import { Inbox } from '../support/inbox.ts'
import { answerLinkIn, ask, openThings, press, QUICK, startTelling } from '../support/notifying.ts'
import { peerFile } from '../support/peers.ts'
import { type Json, textOf } from '../support/raw-mcp.ts'
import type { ScriptedServer } from '../support/scripted-server.ts'

interface Mail {
  readonly from: string
  readonly to: readonly string[]
  readonly raw: string
}

interface Session {
  readonly envelope: {
    readonly mailFrom: { readonly address: string }
    readonly rcptTo: readonly { readonly address: string }[]
  }
}

type Callback = (error?: Error | null, result?: unknown) => void

interface SmtpServer {
  listen(port: number, host: string, done: () => void): { address(): { port: number } }
  close(done?: () => void): void
  on(event: 'error', listener: (error: Error) => void): void
}

type SmtpServerClass = new (options: object) => SmtpServer

/** A real mail server that accepts one user. */
class MailServer {
  readonly inbox = new Inbox<Mail>('the mail server')
  port = 0
  /** Refuses a recipient with this code. */
  refuse: (address: string) => number | undefined = () => undefined

  async start(): Promise<this> {
    const { SMTPServer } = createRequire(import.meta.url)(
      peerFile('smtp-server/dist/cjs/smtp-server.js'),
    ) as {
      SMTPServer: SmtpServerClass
    }
    const server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: ({ username, password }: { username: string; password: string }, _: unknown, done: Callback) =>
        username === 'gateway' && password === 'open sesame'
          ? done(null, { user: username })
          : done(new Error('wrong password')),
      onRcptTo: ({ address }: { address: string }, _: unknown, done: Callback) => {
        const code = this.refuse(address)
        done(code === undefined ? null : Object.assign(new Error('no such mailbox'), { responseCode: code }))
      },
      onData: (stream: NodeJS.ReadableStream, { envelope }: Session, done: Callback) => {
        let raw = ''
        stream.setEncoding('utf8').on('data', (text: string) => (raw += text))
        stream.on('end', () => {
          const to = envelope.rcptTo.map(({ address }) => address)
          this.inbox.add({ from: envelope.mailFrom.address, to, raw })
          done()
        })
      },
    })
    // A client that hangs up in the middle is none of ours.
    server.on('error', () => {})
    await new Promise<void>(resolve => {
      const listening = server.listen(0, '127.0.0.1', () => {
        this.port = listening.address().port
        resolve()
      })
    })
    later(() => server.close())
    return this
  }
}

let things: ScriptedServer
let server: MailServer

const mail = (more: Json = {}, smtp: Json = {}): Json => ({
  type: 'email',
  name: 'mail',
  from: 'gateway@example.com',
  to: ['ada@example.com', 'team@example.com'],
  people: { 'ada@example.com': { name: 'ada' } },
  smtp: {
    host: '127.0.0.1',
    port: server.port,
    tls: 'never',
    user: 'gateway',
    password: 'open sesame',
    ...smtp,
  },
  retry: QUICK,
  ...more,
})

const isTo = (address: string, id: string) => (one: Mail) =>
  one.to.join() === address && decodeMail(one.raw).includes(id)

/** Quoted-printable without its soft line breaks. */
function decodeMail(raw: string): string {
  return raw
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

beforeAll(async () => {
  things = await openThings()
  server = await new MailServer().start()
})
afterAll(cleanUp)

describe('an e-mail', () => {
  it('goes to each recipient alone, with a link that answers for those who may', async () => {
    const gateway = await startTelling(things, [mail()])
    const args = { id: '1', note: '<img src=x>' }
    const { id, client } = await ask(gateway, args)
    const toAda = await server.inbox.until(isTo('ada@example.com', id))
    const toTeam = await server.inbox.until(isTo('team@example.com', id))
    expect(toAda.from).toBe('gateway@example.com')
    expect(toAda.raw).toMatch(/^Subject: Approval needed: agent-1 wants to: Delete thing: 1/m)
    expect(toAda.raw).toContain('Auto-Submitted: auto-generated')
    const [, html = ''] = decodeMail(toAda.raw).split('text/html')
    expect(html).toContain('&lt;img')
    expect(html).not.toContain('<img')
    expect(decodeMail(toTeam.raw)).toContain(`${gateway.url}/#/approvals/${id}`)
    expect(decodeMail(toTeam.raw)).not.toContain('/notify/answer/')
    const link = answerLinkIn(decodeMail(toAda.raw))
    expect((await fetch(link)).status).toBe(200)
    expect((await press(link, 'approve')).status).toBe(200)
    expect(textOf(await client.call('delete_thing', args))).toContain('1')
  })

  it('has no header that a caller wrote', async () => {
    const gateway = await startTelling(things, [mail()])
    const { id } = await ask(gateway, { id: '2\r\nBcc: eve@example.com\r\n\r\nHello', Subject: 'x' })
    const { raw, to } = await server.inbox.until(isTo('ada@example.com', id))
    const [head = ''] = raw.split('\r\n\r\n')
    expect(to).toEqual(['ada@example.com'])
    expect(head).not.toMatch(/^bcc:/im)
    expect(head).toContain('eve@example.com')
    expect(head.match(/^subject:/gim)).toHaveLength(1)
  })

  it('that the server refuses for one recipient still reaches the other', async () => {
    server.refuse = address => (address.startsWith('team') ? 550 : undefined)
    const gateway = await startTelling(things, [mail()])
    const { id } = await ask(gateway, { id: '3' })
    await server.inbox.until(isTo('ada@example.com', id))
    await gateway.says(
      /notify mail\/team@example\.com: could not deliver the message about \S+: SMTP 550 \(\w+\) \(attempts: 1\)/,
    )
    server.refuse = () => undefined
  })

  it('is repeated while the server is busy', async () => {
    let busy = 2
    server.refuse = () => (busy-- > 0 ? 451 : undefined)
    const gateway = await startTelling(things, [mail({ to: ['ada@example.com'] })])
    const { id } = await ask(gateway, { id: '4' })
    await server.inbox.until(isTo('ada@example.com', id))
    expect(busy).toBeLessThan(0)
    server.refuse = () => undefined
  })

  it.each([
    ['a wrong password', { password: 'wrong password' }, /EAUTH/],
    ['a server without the encryption that is wanted', { tls: 'starttls' }, /could not deliver/],
  ])('is not sent with %s, and nothing secret is logged', async (_, smtp, why) => {
    const gateway: Gateway = await startTelling(things, [
      mail({ to: ['ada@example.com'], retry: { ...QUICK, attempts: 2 } }, smtp),
    ])
    const { id } = await ask(gateway, { id: '5' })
    const line = await gateway.says(/could not deliver the message about/)
    expect(line).toMatch(why)
    expect(line).not.toMatch(/password|sesame/)
    expect(server.inbox.items.some(isTo('ada@example.com', id))).toBe(false)
  })
})
