import { describe, expect, it } from 'vitest'
import { IdempotentAnswers } from './idempotency.ts'

describe('repeating a request with the same key', () => {
  const ask = { owner: 'person:ada', key: 'k', digest: 'd' }
  const counting = () => {
    let count = 0
    return async () => new Response(String(++count))
  }

  it('runs once, even concurrently, and gets the same answer', async () => {
    const [answers, run] = [new IdempotentAnswers(() => 0), counting()]
    const twice = await Promise.all([answers.once(ask, run), answers.once(ask, run)])
    const texts = await Promise.all([...twice, await answers.once(ask, run)].map(response => response.text()))
    expect(texts).toEqual(['1', '1', '1'])
    expect(await (await answers.once({ ...ask, owner: 'person:bob' }, run)).text()).toBe('2')
    await expect(answers.once({ ...ask, digest: 'other' }, run)).rejects.toMatchObject({
      problem: { code: 'idempotency_mismatch' },
    })
  })

  it('runs again after a failure, and after some time', async () => {
    let now = 0
    const [answers, run] = [new IdempotentAnswers(() => now), counting()]
    await expect(answers.once(ask, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await (await answers.once(ask, run)).text()).toBe('1')
    now += 10 * 60_000
    expect(await (await answers.once(ask, run)).text()).toBe('2')
  })

  it('runs again after very many other keys', async () => {
    const [answers, run] = [new IdempotentAnswers(() => 0), counting()]
    for (let count = 0; count <= 1000; count++) await answers.once({ ...ask, key: String(count) }, run)
    expect(await (await answers.once({ ...ask, key: '0' }, run)).text()).toBe('1002')
    expect(await (await answers.once({ ...ask, key: '1000' }, run)).text()).toBe('1001')
  })

  it('runs again when the stored answers are too long in total', async () => {
    const answers = new IdempotentAnswers(() => 0)
    let count = 0
    const run = async () => new Response(String(++count).padEnd(3_000_000))
    const told = async (key: string) => (await (await answers.once({ ...ask, key }, run)).text()).trim()
    for (const key of ['a', 'b', 'c']) await told(key)
    expect(await told('c')).toBe('3')
    expect(await told('a')).toBe('4')
  })
})
