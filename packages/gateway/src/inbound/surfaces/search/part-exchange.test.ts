import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../exchange/exchange.ts'
import type { Notification } from '../../../protocol/messages.ts'
import { PartExchange, SharedProgress } from './part-exchange.ts'

function whole(progressToken?: string) {
  const heard: Notification[] = []
  const exchange = {
    requestId: 'r',
    params: { _meta: progressToken === undefined ? {} : { progressToken } },
    notify: (notification: Notification) => heard.push(notification),
  } as unknown as Exchange
  return { exchange, heard, values: () => heard.map(({ params }) => params?.progress) }
}

const progress = (params: object): Notification => ({
  jsonrpc: '2.0',
  method: 'notifications/progress',
  params: { ...params },
})

describe('the combined progress of several calls', () => {
  it('never decreases, and ends when all calls are done', () => {
    const { exchange, heard, values } = whole('p')
    const shared = new SharedProgress(exchange, 2)
    const [a, b] = [new PartExchange(exchange, 0, shared), new PartExchange(exchange, 1, shared)]
    a.notify(progress({ progress: 1, total: 2 }))
    b.notify(progress({ progress: 5 }))
    a.notify(progress({ progress: 1, total: 4 }))
    shared.finish(1, 's:b')
    a.notify(progress({ progress: 9, total: 4 }))
    shared.finish(0, 's:a')
    expect(values()).toEqual([0.5, 1.5, 1.99, 2])
    expect(heard.every(({ params }) => params?.progressToken === 'p' && params?.total === 2)).toBe(true)
  })

  it('is not sent to a client that did not ask for it', () => {
    const { exchange, heard } = whole()
    new SharedProgress(exchange, 1).finish(0, 's:a')
    expect(heard).toEqual([])
  })

  it('leaves all other notifications unchanged', () => {
    const { exchange, heard } = whole('p')
    const part = new PartExchange(exchange, 0, new SharedProgress(exchange, 1))
    part.notify({ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x' } })
    expect(heard).toEqual([{ jsonrpc: '2.0', method: 'notifications/message', params: { data: 'x' } }])
    expect(part.requestId).toBe('r.1')
  })
})
