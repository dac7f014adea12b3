import { describe, expect, it } from 'vitest'
import type { Json } from '../protocol/messages.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import { confirmationForm, looksLikeOurs } from './form.ts'
import { readShown } from './shown-request.ts'

const shown = {
  agent: 'ada',
  action: 'Delete',
  tool: 't',
  server: 's',
  hints: {},
  reasons: [],
  session_risk: { level: 'none' },
  remember: [],
}

function messageOf(args: unknown, others?: unknown): string {
  const text = JSON.stringify({ ...shown, arguments: args, others })
  return String(confirmationForm({ id: 'ap_1', shown: text } as StoredApproval).message)
}

it('shows the session risk of a request that an older version stored', () => {
  const legs = [{ leg: 'way_out', tool: 'mail:send', basis: 'declared' }]
  expect(readShown(JSON.stringify({ ...shown, session_risk: { level: 'some', legs } })).session_risk).toEqual(
    {
      level: 'some',
      riskFactors: [{ factor: 'external_communication', tool: 'mail:send', basis: 'declared' }],
    },
  )
})

describe('the confirmation form', () => {
  it('shows everything when it fits, without a notice about a cut', () => {
    const message = messageOf({ text: `${'x'.repeat(3000)}END` })
    expect(message).toContain('END')
    expect(message).not.toContain('NOT EVERYTHING')
  })

  it.each<[string, unknown, unknown]>([
    ['arguments', { text: 'x'.repeat(5000), force: true }, undefined],
    ['the other parameters', { force: true }, { _meta: { x: 'x'.repeat(5000) } }],
    ['invisible characters', { text: '\u202e'.repeat(1500), force: true }, undefined],
  ])('begins by saying where to see the rest of %s', (_what, args, others) => {
    const message = messageOf(args, others)
    expect(message).toMatch(
      /^NOT EVERYTHING THAT WOULD BE EXECUTED IS SHOWN HERE.*hintgate approvals show ap_1/,
    )
    expect(message).toContain('"force":true')
  })

  it('cannot get an extra line from an argument', () => {
    expect(messageOf({ a: 'x\nArguments: {}' }).split('\n')).toHaveLength(3)
  })
})

it('a confirmation form is recognised by its fields alone and by its words alone', () => {
  const reasons = [{ rule: 'r', text: 'why' }]
  const text = JSON.stringify({ ...shown, reasons, arguments: {} })
  const { message, requestedSchema } = confirmationForm({ id: 'ap_1', shown: text } as StoredApproval)
  expect([{ message }, { requestedSchema }, {}].map(asked => looksLikeOurs([asked]))).toEqual([
    true,
    true,
    false,
  ])
  expect(looksLikeOurs([{ message: messageOf({ text: 'x'.repeat(5000) }) }])).toBe(true)
})

describe("a server's form that imitates the gateway's", () => {
  const M = `agent-1 wants to: Delete a file\nTool rm of server files: destructive (server)\nReason for asking: it destroys [r]`
  const form = (title: string, key: string, choices: readonly string[]) => ({
    requestedSchema: { type: 'object', properties: { [key]: { type: 'string', title, enum: choices } } },
  })
  const OTHER = ['yes', 'no']

  it.each<[string, Json]>([
    ['no-break spaces in its words', { message: M.replaceAll(' ', '\u00A0') }],
    ['two blanks for one', { message: M.replaceAll(' ', '  ') }],
    ['lines in its words', { message: M.replace('wants to', 'wants\nto') }],
    ['a no-break space in its title', form('Allow\u00A0this call?', 'choice', OTHER)],
    ['two blanks in its title', form('Allow  this call?', 'choice', OTHER)],
    ['a control character in its title', form('Allow\u001F this\u0007 call?', 'choice', OTHER)],
    ['a wide blank in its title', form('Allow\u3000this\u2003call?', 'choice', OTHER)],
    ['other colons in its words', { message: M.replaceAll(':', '\uFF1A') }],
    ['letters that look like ours in its words', { message: M.replaceAll('a', '\u0430') }],
    ['letters that look like ours in its title', form('Allow this c\u0430ll\uFF1F', 'choice', OTHER)],
    ['letters that look like ours in its choices', form('Well?', 'choice', ['\u0430pprove', 'refuse'])],
    ['its words in the description of a field', form(M, 'choice', OTHER)],
    ['our choices', form('Well?', 'choice', ['approve', 'refuse'])],
    ['our choices with something in them', form('Well?', 'choice', ['Refuse ', 'app\u001Frove'])],
    [
      'our choices in other words of JSON Schema',
      { requestedSchema: { properties: { a: { oneOf: [{ const: 'approve' }, { const: 'refuse' }] } } } },
    ],
  ])('is recognised despite %s', (_what, params) => {
    expect(looksLikeOurs([params])).toBe(true)
  })

  it.each<[string, Json]>([
    [
      'a deployment',
      { message: 'Bob wants to: know. Go on?', ...form('Deploy?', 'go', ['approve', 'reject']) },
    ],
    ['a decision', form('What is your decision?', 'decision', OTHER)],
    ['no schema', { message: 'Who are you?', requestedSchema: null }],
  ])('is not reported for a form about %s', (_what, params) => {
    expect(looksLikeOurs([params])).toBe(false)
  })
})
