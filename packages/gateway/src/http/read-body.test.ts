import { expect, it } from 'vitest'
import { collectGarbage } from '../base/collect-garbage.ts'
import type { DirectRequest } from './direct-request.ts'
import { describeFault, readBody } from './read-body.ts'

type Taker = Parameters<DirectRequest['takeBody']>[0]

it('releases a body that was refused before its end, although its request stays in memory', async () => {
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

it.each([
  ['too long, however few its pieces are', Array.from({ length: 2 }, () => Buffer.alloc(60)), 'long'],
  ['in too many pieces, however short it is', Array.from({ length: 90 }, () => Buffer.alloc(1)), 'pieces'],
] as const)('reports a body that is %s', (_, pieces, expected) => {
  let taker: Taker = () => true
  const req = {
    on() {},
    takeBody(given: Taker) {
      taker = given
    },
  } as unknown as DirectRequest
  const faults: unknown[] = []
  readBody(req, { maxBytes: 100, mayGrow: () => true }, (_text, fault) => faults.push(fault))
  for (const piece of pieces) if (!taker(piece)) break
  expect(faults).toEqual([expected])
})

it('names the limit if a body is too long, and the pieces if it arrives in too many', () => {
  expect(describeFault('long', 4096)).toBe('the body is longer than 4096 bytes; see limits.body')
  expect(describeFault('pieces', 4096)).toMatch(/^the body arrived in too many short pieces/)
})
