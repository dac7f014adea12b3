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

/** As Node has it when the connection is gone. */
const close = (res: ServerResponse) => {
  Object.assign(res, { _closed: true, destroyed: true })
  res.emit('close')
}

it('keeps as much of a batch as one caller may have unread, and says at once of the rest that it is lost', () => {
  const { answers } = scene().begin()
  expect(answers.keep(1, long)).toBe(long)
  const lost = answers.keep(2, long)
  expect(JSON.parse(lost)).toMatchObject({ id: 2, error: { data: { code: 'overloaded' } } })
  expect(lost).toContain('too long together')
  expect(answers.keep(3, '"short"')).toBe('"short"')
})

it('goes by a limit that is shorter than any long answer', () => {
  const { answers } = scene({ ...LIMITS, unreadBytesPerPrincipal: 100 }).begin()
  const text = 'x'.repeat(60)
  expect(answers.keep(1, text)).toBe(text)
  expect(answers.keep(2, text)).toContain('too long together')
})

it('counts short answers, too, as soon as they are long together', () => {
  const { begin, unreadNow } = scene()
  const { answers } = begin()
  const short = 'x'.repeat(40_000)
  answers.keep(1, short)
  expect(unreadNow()).toBe(0)
  answers.keep(2, short)
  expect(unreadNow()).toBeGreaterThan(2 * short.length)
})

it('lets the batches of one caller wait for no more together, and those of others all the same', () => {
  const { begin } = scene()
  expect(begin().answers.keep(1, long)).toBe(long)
  const second = begin()
  expect(second.answers.keep(1, long)).toContain('is lost')
  // What was short before is not lost because of what is long elsewhere.
  expect(second.answers.keep(2, '"short"')).toBe('"short"')
  expect(begin({ id: 'agent:b', kind: 'agent' } as Principal).answers.keep(1, long)).toBe(long)
})

it('counts what was sent until it was read', () => {
  const { begin, unreadNow } = scene()
  const { res, answers } = begin()
  answers.keep(1, long)
  answers.leave()
  expect(unreadNow()).toBeGreaterThan(2 * MB)
  close(res)
  expect(unreadNow()).toBe(0)
})

it('keeps nothing for who has hung up, and lets go of what there was when the last call is done', () => {
  const { begin, unreadNow } = scene()
  const { res, answers } = begin()
  answers.keep(1, long)
  close(res)
  expect(answers.keep(2, '"short"')).toContain('is lost')
  expect(unreadNow()).toBeGreaterThan(2 * MB)
  answers.leave()
  expect(unreadNow()).toBe(0)
})

it('counts nothing that comes when the batch was given up', () => {
  const { begin, unreadNow } = scene()
  const { res, answers } = begin()
  answers.leave()
  expect(answers.keep(1, long)).toContain('is lost')
  close(res)
  expect(unreadNow()).toBe(0)
})
