import { describe, expect, it } from 'vitest'
import { Embedder } from './embedder.ts'

/** A thread that runs this code in place of the model. */
const thread = (code: string) => ({
  worker: new URL(`data:text/javascript,${encodeURIComponent(code)}`),
})
const START = "import { parentPort } from 'node:worker_threads'\n"

describe('the thread of the model', () => {
  it('answers queries before the other jobs that wait', async () => {
    const answer =
      'parentPort.on("message", ({ number, texts }) => parentPort.postMessage({ number, vectors: texts }))'
    const embedder = new Embedder([], () => undefined, thread(START + answer))
    const order: string[] = []
    const ask = async (text: string, isUrgent: boolean): Promise<void> => {
      await embedder.embed([text], isUrgent)
      order.push(text)
    }
    await Promise.all([ask('first', false), ask('tool', false), ask('query', true)])
    expect(order).toEqual(['first', 'query', 'tool'])
    await embedder.close()
  })

  it('that fails leaves searches to words alone, and says so once', async () => {
    const errors: unknown[] = []
    const embedder = new Embedder([], error => errors.push(error), thread('throw new Error("no model")'))
    expect(await embedder.embed(['a'], true)).toBeUndefined()
    expect(await embedder.embed(['b'], true)).toBeUndefined()
    expect(errors).toEqual([expect.objectContaining({ message: 'no model' })])
  })

  it('that hangs is ended', async () => {
    const errors: unknown[] = []
    const hang = { ...thread(`${START}parentPort.on("message", () => undefined)`), mostMs: 50 }
    const embedder = new Embedder([], error => errors.push(error), hang)
    expect(await embedder.embed(['a'], true)).toBeUndefined()
    expect(errors).toHaveLength(1)
  })

  it('that is closed answers nobody any more', async () => {
    const embedder = new Embedder(
      [],
      () => undefined,
      thread(`${START}parentPort.on("message", () => undefined)`),
    )
    const waiting = embedder.embed(['a'], true)
    await embedder.close()
    expect(await waiting).toBeUndefined()
  })
})
