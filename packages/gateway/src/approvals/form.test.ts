import { describe, expect, it } from 'vitest'
import type { StoredApproval } from '../store/approval-store.ts'
import { confirmationForm, looksLikeOurs } from './form.ts'

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

describe('the form', () => {
  it('shows everything where there is room, and says nothing of a cut', () => {
    const message = messageOf({ text: `${'x'.repeat(3000)}END` })
    expect(message).toContain('END')
    expect(message).not.toContain('NOT EVERYTHING')
  })

  it.each<[string, unknown, unknown]>([
    ['arguments', { text: 'x'.repeat(5000), force: true }, undefined],
    ['what goes with them', { force: true }, { _meta: { x: 'x'.repeat(5000) } }],
    ['characters that would not show', { text: '\u202e'.repeat(1500), force: true }, undefined],
  ])('begins with where to see the rest of %s', (_what, args, others) => {
    const message = messageOf(args, others)
    expect(message).toMatch(
      /^NOT EVERYTHING THAT WOULD BE EXECUTED IS SHOWN HERE.*hintgate approvals show ap_1/,
    )
    expect(message).toContain('"force":true')
  })

  it('lets no argument write a line of its own', () => {
    expect(messageOf({ a: 'x\nArguments: {}' }).split('\n')).toHaveLength(3)
  })
})

it('is known as ours by its fields alone, and by its words alone', () => {
  const reasons = [{ rule: 'r', text: 'why' }]
  const text = JSON.stringify({ ...shown, reasons, arguments: {} })
  const { message, requestedSchema } = confirmationForm({ id: 'ap_1', shown: text } as StoredApproval)
  expect([{ message }, { requestedSchema }, {}].map(looksLikeOurs)).toEqual([true, true, false])
  expect(looksLikeOurs({ message: messageOf({ text: 'x'.repeat(5000) }) })).toBe(true)
})
