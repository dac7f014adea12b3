import { describe, expect, it } from 'vitest'
import { loadText, onlyProblem, problemsOf } from './test-support/config-folder.ts'

const WEBHOOK = {
  type: 'webhook',
  name: 'ops',
  url: 'https://hooks.example/x',
  secret: 'at least sixteen characters',
}
const problemWith = (...notify: object[]): string => onlyProblem({ notify })

describe('channels', () => {
  it('have defaults', () => {
    const { config } = loadText({ notify: [WEBHOOK], publicUrl: 'https://gate.example' })
    expect(config.notify).toEqual([
      {
        ...WEBHOOK,
        headers: {},
        filter: {},
        afterMs: 0,
        retry: { attempts: 8, delayMs: 1000, maxDelayMs: 300_000 },
        mayBePrivate: false,
      },
    ])
    // Links in messages lead to this host, so the gateway must accept the name.
    expect(config.allowedHosts).toContain('gate.example')
  })

  it('take secrets from the environment', () => {
    const channel = { ...WEBHOOK, secret: `\${env:HOOK}` }
    const { config } = loadText({ notify: [channel] }, { env: { HOOK: 'a secret of the environment' } })
    expect(config.notify).toMatchObject([{ secret: 'a secret of the environment' }])
    expect(onlyProblem({ notify: [channel] })).toContain('HOOK is not set')
  })

  it('of mail choose the port by the encryption', () => {
    const mail = (tls?: string) => ({
      type: 'email',
      name: 'mail',
      from: 'a@b.example',
      to: ['c@d.example'],
      smtp: { host: 'smtp.example', ...(tls && { tls }) },
    })
    const portWith = (tls?: string) => loadText({ notify: [mail(tls)] }).config.notify[0]
    expect(portWith()).toMatchObject({ smtp: { port: 587, tls: 'starttls' } })
    expect(portWith('always')).toMatchObject({ smtp: { port: 465 } })
    expect(problemWith(mail('never'))).toContain('notify[0].smtp.tls: without TLS, others on the network')
  })

  it.each([
    [{ ...WEBHOOK, type: 'webhok' }, 'did you mean "webhook"?'],
    [{ ...WEBHOOK, filtr: {} }, 'unknown key'],
    [{ ...WEBHOOK, secret: undefined }, 'a channel of type webhook needs "secret"'],
    [{ ...WEBHOOK, secret: 'short' }, 'expected at least 16'],
    [{ ...WEBHOOK, person: { name: 'ada' } }, 'a channel of type webhook has no "person"'],
    [{ ...WEBHOOK, url: 'http://hooks.example/x' }, 'https://'],
    [{ ...WEBHOOK, filter: { consequences: ['pays'] } }, 'did you mean "pay"?'],
    [{ type: 'gotify', name: 'g', url: 'https://g.example' }, 'needs "token"'],
    [
      { type: 'ntfy', name: 'n', url: 'https://n.example/t', person: { name: 'a d a' } },
      'expected a name of letters',
    ],
    [
      {
        type: 'email',
        name: 'm',
        from: 'a@b.example',
        to: ['c@d.example'],
        smtp: { host: 'h' },
        people: { 'x@d.example': { name: 'x' } },
      },
      'this address is not in "to"',
    ],
    [
      {
        type: 'email',
        name: 'm',
        from: 'a@b.example\r\nBcc: e@f.example',
        to: ['c@d.example'],
        smtp: { host: 'h' },
      },
      'expected an e-mail address',
    ],
  ])('with a mistake are explained: %#', (channel, words) => {
    const problem = problemWith(channel)
    expect(problem).toContain(words)
    expect(problem).not.toContain('at least sixteen characters')
  })

  it('of Slack need all of a bot, or an incoming webhook', () => {
    const problems = problemsOf({ notify: [{ type: 'slack', name: 's' }] }).map(({ message }) => message)
    expect(problems).toEqual(
      ['token', 'channel', 'signingSecret'].map(key => `a channel of type slack needs "${key}"`),
    )
    expect(problemsOf({ notify: [{ type: 'slack', name: 's', url: 'https://hooks.example/x' }] })).toEqual([])
  })

  it('have different names', () => {
    expect(problemWith(WEBHOOK, { ...WEBHOOK, name: 'OPS' })).toContain('another channel has this name')
  })
})

describe('the number of approvers', () => {
  it('is at least two', () => {
    const confirm = (count: number) => ({ confirm: { approvers: [{ consequences: ['pay'], count }] } })
    expect(loadText(confirm(2)).config.confirm.approvers).toEqual([{ consequences: ['pay'], count: 2 }])
    expect(onlyProblem(confirm(1))).toContain('expected at least 2')
  })
})
