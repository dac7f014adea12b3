import { beforeEach, expect, it } from 'vitest'
import type { Outgoing } from './channel.ts'
import { OneWayMessages } from './one-way-messages.ts'

const MEGABYTE = 'x'.repeat(1_000_000)
const NEWS = { text: 'cancelled' }

let oneWay: OneWayMessages
beforeEach(() => {
  oneWay = new OneWayMessages(4_000_000)
})

function answer(text: string, shorter = 'no room'): Outgoing | undefined | 'unread' {
  return oneWay.admit({ text, fallback: () => shorter })
}

it('accepts several answers of maximum length, and after that their fallbacks', () => {
  const long = MEGABYTE.repeat(4)
  const taken = Array.from({ length: 9 }, () => answer(long))
  expect(taken.slice(0, 8).map(said => said !== undefined && said !== 'unread' && said.text)).toEqual(
    Array.from({ length: 8 }, () => long),
  )
  expect(taken[8]).toMatchObject({ text: 'no room' })
  oneWay.release(taken[0] as Outgoing)
  expect(answer(long)).toMatchObject({ text: long })
})

it.each([
  ['however short they are', '{}', 'no room', 5000],
  ['however long their fallbacks are', MEGABYTE, MEGABYTE, 40],
])('reports unread answers, %s', (_how, text, fallback, count) => {
  const last = Array.from({ length: count }, () => answer(text, fallback)).at(-1)
  expect(last).toBe('unread')
})

it('drops notifications that do not fit, without blaming the server', () => {
  const said = Array.from({ length: 10_000 }, () => oneWay.admit({ ...NEWS }))
  expect(said.filter(message => message === undefined)).toHaveLength(10_000 - 4096)
  expect(answer('{}')).toMatchObject({ text: '{}' })
  oneWay.release(said[0] as Outgoing)
  expect(oneWay.admit(NEWS)).toBe(NEWS)
})
