import { expect, it } from 'vitest'
import { collectGarbage } from '../collect-garbage.ts'
import type { DirectRequest } from './direct-request.ts'
import { readBody } from './read-body.ts'

type Taker = Parameters<DirectRequest['takeBody']>[0]

it('keeps nothing of a body that is refused in the middle, though its request lives on', async () => {
  let taker: Taker = () => true
  const req = {
    on() {},
    takeBody(given: Taker) {
      taker = given
    },
  } as unknown as DirectRequest
  const given: (string | undefined)[] = []
  readBody(req, { maxBytes: 100, mayGrow: () => true }, text => given.push(text))
  const first = (() => {
    const piece = Buffer.alloc(60)
    taker(piece)
    return new WeakRef(piece)
  })()
  expect(taker(Buffer.alloc(60))).toBe(false)
  expect(given).toEqual([undefined])
  await new Promise(resolve => setImmediate(resolve))
  collectGarbage()
  expect(first.deref()).toBeUndefined()
  expect(taker(null)).toBe(false)
})
