import { describe, expect, it } from 'vitest'
import { LongWork } from '../admission/long-work.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import { LongAnswers } from './long-answers.ts'

const MB = 1024 * 1024

function answerOf(bytes: number): ServerReply {
  return { kind: 'answer', message: { jsonrpc: '2.0', id: 1, result: {} }, bytes }
}

function behind(id: string) {
  const listeners: (() => void)[] = []
  return {
    caller: { principal: { id } },
    onCancel: (listener: () => void) => void listeners.push(listener),
    leave: () => {
      for (const listener of listeners) listener()
    },
  } as unknown as Parameters<LongAnswers['take']>[1] & { leave(): void }
}

describe('long answers', () => {
  it('are looked through one after the other, the callers in turn', async () => {
    const answers = new LongAnswers(new LongWork())
    const order: string[] = []
    const take = async (id: string) => {
      await answers.take(answerOf(MB), behind(id))
      order.push(id)
    }
    await Promise.all([take('a'), take('a'), take('a'), take('b')])
    expect(order).toEqual(['a', 'a', 'b', 'a'])
  })

  it('leave nobody waiting whose answer is short, or is none', () => {
    const answers = new LongAnswers(new LongWork())
    expect(answers.take(answerOf(MB), behind('a'))).toBeInstanceOf(Promise)
    expect(answers.take(answerOf(1000), behind('a'))).toBeUndefined()
    expect(answers.take({ kind: 'timeout' }, behind('a'))).toBeUndefined()
  })

  it('do not wait where so many do that memory would become short, and only of that caller', async () => {
    const answers = new LongAnswers(new LongWork())
    const waiting = [20, 12].map(async size => answers.take(answerOf(size * MB), behind('a')))
    expect(answers.take(answerOf(MB), behind('a'))).toBeUndefined()
    expect(answers.take(answerOf(MB), behind('b'))).toBeInstanceOf(Promise)
    await Promise.all(waiting)
    expect(answers.take(answerOf(20 * MB), behind('a'))).toBeInstanceOf(Promise)
  })

  it('are given up when nobody wants them any more, and leave the line', async () => {
    const answers = new LongAnswers(new LongWork())
    const first = answers.take(answerOf(MB), behind('a'))
    const gone = behind('a')
    const second = answers.take(answerOf(31 * MB), gone)
    gone.leave()
    expect(await second).toBe(false)
    expect(await first).toBe(true)
    expect(answers.take(answerOf(32 * MB), behind('a'))).toBeInstanceOf(Promise)
  })
})
