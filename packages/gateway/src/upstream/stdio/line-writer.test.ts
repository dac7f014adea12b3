import { Writable } from 'node:stream'
import { beforeEach, expect, it } from 'vitest'
import { OneWayMessages } from '../channel/one-way-messages.ts'
import { LineWriter } from './line-writer.ts'

const MEGABYTE = 'x'.repeat(1_000_000)
const turn = () => new Promise(resolve => setImmediate(resolve))

let read: (() => void)[]
let written: string
let writer: LineWriter

beforeEach(() => {
  read = []
  written = ''
  const to = new Writable({
    decodeStrings: false,
    write(text: string, _encoding, done) {
      written += text
      read.push(done)
    },
  })
  writer = new LineWriter(to, 10_000_000, new OneWayMessages(1_000_000))
})

it('writes the messages of one turn at once', async () => {
  for (const text of ['a', 'é', 'c']) expect(writer.add({ id: 1, text })).toBe(true)
  expect(written).toBe('')
  await turn()
  expect([written, read.length]).toEqual(['a\né\nc\n', 1])
})

it('limits unread calls, and accepts more once they are read', async () => {
  const calls = Array.from({ length: 12 }, (_, id) => writer.add({ id, text: MEGABYTE }))
  expect(calls.filter(isTaken => isTaken)).toHaveLength(9)
  await turn()
  expect(writer.add({ id: 13, text: MEGABYTE })).toBe(false)
  read[0]?.()
  await turn()
  expect(writer.add({ id: 14, text: MEGABYTE })).toBe(true)
})

it('accepts a call of any length if nothing else waits', async () => {
  expect(writer.add({ id: 1, text: MEGABYTE.repeat(12) })).toBe(true)
  expect(writer.add({ id: 2, text: '{}' })).toBe(false)
  await turn()
})

it('has a lower limit for answers, counted separately from calls', async () => {
  const answer = { text: MEGABYTE, fallback: () => MEGABYTE }
  writer.add({ id: 1, text: MEGABYTE.repeat(12) })
  await turn()
  const answers = Array.from({ length: 12 }, () => writer.add({ ...answer }))
  // Eight answers fit. The ninth is replaced by its fallback, which is just as long in this test.
  expect(answers.filter(isTaken => isTaken)).toHaveLength(9)
  await turn()
  expect(writer.add(answer)).toBe(false)
  read[0]?.()
  await turn()
  expect(writer.add(answer)).toBe(false)
  read[1]?.()
  await turn()
  expect(writer.add(answer)).toBe(true)
  await turn()
})

it('drops notifications that do not fit', async () => {
  writer.add({ id: 1, text: '{}' })
  await turn()
  const cancels = Array.from({ length: 5000 }, () => writer.add({ text: 'cancel' }))
  expect(cancels.every(isFine => isFine)).toBe(true)
  await turn()
  read[0]?.()
  await turn()
  expect(written.match(/cancel/g)).toHaveLength(4096)
})
