import { beforeEach, describe, expect, it } from 'vitest'
import type { UpstreamServer } from '../../../upstream/upstream-server.ts'
import { ServerLists, WAIT_MS } from './server-lists.ts'

const LISTED = { method: 'prompts/list', member: 'prompts', capability: 'prompts' }
const CHANGED = { jsonrpc: '2.0', method: 'notifications/prompts/list_changed' } as const

let now = 0
beforeEach(() => {
  now = 0
})

/** A server whose answers the test gives. Time passes only when something waits. */
function meet(listChanged = true) {
  const answers: ((items: readonly unknown[] | undefined) => void)[] = []
  const server = {
    name: 's',
    state: 'ready',
    starts: 1,
    handshake: { capabilities: { prompts: { listChanged } } },
    config: { timeoutMs: 60_000 },
    ownEnvelope: { capabilities: {} },
    send: () => ({
      reply: new Promise(resolve => {
        answers.push(prompts =>
          resolve(
            prompts === undefined
              ? { kind: 'timeout' }
              : { kind: 'answer', message: { result: { prompts } } },
          ),
        )
      }),
    }),
  }
  const waits: (() => void)[] = []
  const lists = new ServerLists({
    now: () => now,
    pause: ms =>
      new Promise(resolve => {
        waits.push(() => {
          now += ms
          resolve()
        })
      }),
  })
  const list = () => lists.list(server as unknown as UpstreamServer, LISTED)
  return { server, lists, answers, list, waitOver: () => waits.shift()?.() }
}

describe('the list of a server', () => {
  it('is asked for once, by any number of callers at the same time and later', async () => {
    const { answers, list } = meet()
    const both = [list(), list()]
    answers[0]?.([{ name: 'a' }])
    expect(await Promise.all(both)).toEqual([[{ name: 'a' }], [{ name: 'a' }]])
    now += 1_000_000
    expect(await list()).toEqual([{ name: 'a' }])
    expect(answers).toHaveLength(1)
  })

  it('is asked for again after a change, and after a restart', async () => {
    const { answers, list, lists, server } = meet()
    const first = list()
    answers[0]?.([])
    await first
    lists.announce('s', CHANGED)
    const second = list()
    answers[1]?.([{ name: 'b' }])
    expect(await second).toEqual([{ name: 'b' }])
    server.starts += 1
    void list()
    expect(answers).toHaveLength(3)
  })

  it('is asked for again after a while if the server announces no changes', async () => {
    const { answers, list } = meet(false)
    const first = list()
    answers[0]?.([])
    await first
    now += 9000
    await list()
    expect(answers).toHaveLength(1)
    now += 2000
    void list()
    expect(answers).toHaveLength(2)
  })

  it('is late if the server does not answer in time; later callers do not wait, and the answer is announced', async () => {
    const { answers, list, lists, waitOver } = meet()
    const news: string[] = []
    lists.listen((server, { method }) => news.push(`${server} ${method}`))
    const first = list()
    waitOver()
    expect(await first).toBe('late')
    expect(now).toBe(WAIT_MS)
    expect(await list()).toBe('late')
    expect(news).toEqual([])
    answers[0]?.([{ name: 'a' }])
    await expect.poll(() => news).toEqual(['s notifications/prompts/list_changed'])
    expect(await list()).toEqual([{ name: 'a' }])
    expect(answers).toHaveLength(1)
  })

  it('is asked for again a while after a failure', async () => {
    const { answers, list } = meet()
    const first = list()
    answers[0]?.(undefined)
    expect(await first).toBe('failed')
    expect(await list()).toBe('failed')
    now += 6000
    void list()
    expect(answers).toHaveLength(2)
  })

  it('is empty without a request if the server has no such capability', async () => {
    const { server, lists, answers } = meet()
    const other = { method: 'resources/list', member: 'resources', capability: 'resources' }
    expect(await lists.list(server as unknown as UpstreamServer, other)).toEqual([])
    expect(answers).toEqual([])
  })
})
