import { beforeEach, expect, it } from 'vitest'
import { Asides } from './asides.ts'
import type { Outgoing } from './channel.ts'

const MEGABYTE = 'x'.repeat(1_000_000)
const NEWS = { text: 'cancelled' }

let asides: Asides
beforeEach(() => {
  asides = new Asides(4_000_000)
})

function answer(text: string, excuse = 'no room'): Outgoing | undefined | 'not-listening' {
  return asides.admit({ text, otherwise: () => excuse })
}

it('has room for several answers of the greatest length, and for an excuse instead of one more', () => {
  const long = MEGABYTE.repeat(4)
  const taken = Array.from({ length: 9 }, () => answer(long))
  expect(taken.slice(0, 8).map(said => said !== undefined && said !== 'not-listening' && said.text)).toEqual(
    Array.from({ length: 8 }, () => long),
  )
  expect(taken[8]).toMatchObject({ text: 'no room' })
  asides.leave(taken[0] as Outgoing)
  expect(answer(long)).toMatchObject({ text: long })
})

it.each([
  ['however short they are', '{}', 'no room', 5000],
  ['however long their excuses are', MEGABYTE, MEGABYTE, 40],
])('ends with answers that are not taken, %s', (_how, text, excuse, count) => {
  const last = Array.from({ length: count }, () => answer(text, excuse)).at(-1)
  expect(last).toBe('not-listening')
})

it('leaves notifications out that find no room, and holds none against the server', () => {
  const said = Array.from({ length: 10_000 }, () => asides.admit({ ...NEWS }))
  expect(said.filter(message => message === undefined)).toHaveLength(10_000 - 4096)
  expect(answer('{}')).toMatchObject({ text: '{}' })
  asides.leave(said[0] as Outgoing)
  expect(asides.admit(NEWS)).toBe(NEWS)
})
