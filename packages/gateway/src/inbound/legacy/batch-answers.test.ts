import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { Ledger } from '../../admission/ledger.ts'
import type { Limits } from '../../config/config.ts'
import type { Principal } from '../../scope/scope.ts'
import { BatchAnswers } from './event-log.ts'

const MB = 1_000_000
const LIMITS = { unreadBytes: 10 * MB, unreadBytesPerPrincipal: 3 * MB } as Limits
const principal = { id: 'agent:a', kind: 'agent' } as Principal
const long = 'x'.repeat(2 * MB)

function scene(limits = LIMITS) {
  const ledger = new Ledger(limits)
  const begin = (who = principal) => {
    const res = new ServerResponse(new IncomingMessage(new Socket()))
    const mostBytes = limits.unreadBytesPerPrincipal
    return { res, answers: new BatchAnswers({ res, principal: who, ledger, mostBytes }) }
  }
  return { begin, unreadNow: () => ledger.shareOf(principal).unread }
}

/** Puts a response into the state in which Node leaves it after the client has disconnected. */
const close = (res: ServerResponse) => {
  Object.assign(res, { _closed: true, destroyed: true })
  res.emit('close')
}

it('keeps as many answers of a batch as one caller can have unread, and reports the others as lost immediately', () => {
  const { answers } = scene().begin()
  expect(answers.keep(1, long)).toBe(long)
  const lost = answers.keep(2, long)
  expect(JSON.parse(lost)).toMatchObject({ id: 2, error: { data: { code: 'overloaded' } } })
  expect(lost).toContain('limits.unreadPerPrincipal')
  expect(answers.keep(3, '"short"')).toBe('"short"')
})

it('applies a limit that is below the length of a long answer', () => {
  const { answers } = scene({ ...LIMITS, unreadBytesPerPrincipal: 100 }).begin()
  const text = 'x'.repeat(60)
  expect(answers.keep(1, text)).toBe(text)
  expect(answers.keep(2, text)).toContain('limits.unreadPerPrincipal')
})

it('counts short answers once their total is long', () => {
  const { begin, unreadNow } = scene()
  const { answers } = begin()
  const short = 'x'.repeat(40_000)
  answers.keep(1, short)
  expect(unreadNow()).toBe(0)
  answers.keep(2, short)
  expect(unreadNow()).toBeGreaterThan(2 * short.length)
})

it('applies one limit to all batches of a caller, but not to those of other callers', () => {
  const { begin } = scene()
  expect(begin().answers.keep(1, long)).toBe(long)
  const second = begin()
  expect(second.answers.keep(1, long)).toContain('is lost')
  // A short answer is kept even if others are too long.
  expect(second.answers.keep(2, '"short"')).toBe('"short"')
  expect(begin({ id: 'agent:b', kind: 'agent' } as Principal).answers.keep(1, long)).toBe(long)
})

it('counts sent answers until they are read', () => {
  const { begin, unreadNow } = scene()
  const { res, answers } = begin()
  answers.keep(1, long)
  answers.release()
  expect(unreadNow()).toBeGreaterThan(2 * MB)
  close(res)
  expect(unreadNow()).toBe(0)
})

it('keeps nothing for a closed response, and releases everything when the last call is done', () => {
  const { begin, unreadNow } = scene()
  const { res, answers } = begin()
  answers.keep(1, long)
  close(res)
  expect(answers.keep(2, '"short"')).toContain('is lost')
  expect(unreadNow()).toBeGreaterThan(2 * MB)
  answers.release()
  expect(unreadNow()).toBe(0)
})

it('counts no answer that arrives after the end of the batch', () => {
  const { begin, unreadNow } = scene()
  const { res, answers } = begin()
  answers.release()
  expect(answers.keep(1, long)).toContain('is lost')
  close(res)
  expect(unreadNow()).toBe(0)
})
