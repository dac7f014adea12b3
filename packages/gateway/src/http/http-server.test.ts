import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { collectGarbage } from '../base/collect-garbage.ts'
import type { Config } from '../config/config.ts'
import { createHttpServer } from './http-server.ts'

const CONFIG = { limits: { headerBytes: 1000, connections: 10 } } as unknown as Config

/** A connection, and responses on it as far as they are looked at. */
function open() {
  const listener = vi.fn()
  const { server, connections } = createHttpServer(CONFIG, listener)
  const leave = vi.spyOn(connections, 'leave')
  const socket = { destroy: vi.fn() }
  const ask = (hasSocket: boolean) => {
    const res = Object.assign(new EventEmitter(), { socket: hasSocket ? socket : null, writableEnded: false })
    server.emit('request', { socket }, res)
    return res
  }
  return { listener, leave, socket, ask }
}

it('lets a request wait whose client has read the answer before it, though Node does not know yet', () => {
  const { listener, socket, ask } = open()
  ask(true).writableEnded = true
  const next = ask(false)
  expect(listener).toHaveBeenCalledTimes(1)
  next.emit('socket', socket)
  expect(listener).toHaveBeenCalledTimes(2)
  expect(socket.destroy).not.toHaveBeenCalled()
})

it('takes no connection for idle whose next request is there when the one before is over', () => {
  const { leave, socket, ask } = open()
  const before = ask(true)
  before.writableEnded = true
  const next = ask(false)
  // In this order: Node says that a response is over only after the next one has its place.
  next.emit('socket', socket)
  before.emit('close')
  expect(leave).not.toHaveBeenCalled()
  next.emit('close')
  expect(leave).toHaveBeenCalledTimes(1)
})

it('remembers no response that is over, as long as its connection may stay', () => {
  const { listener, socket, ask } = open()
  const over = (() => {
    const res = ask(true)
    res.emit('close')
    return new WeakRef(res)
  })()
  listener.mockReset()
  return new Promise(resolve => setImmediate(resolve)).then(() => {
    collectGarbage()
    expect(over.deref()).toBeUndefined()
    expect(socket.destroy).not.toHaveBeenCalled()
  })
})

it('hangs up on who asks before the answer is there, or has one waiting already', () => {
  const early = open()
  early.ask(true)
  early.ask(false)
  expect(early.socket.destroy).toHaveBeenCalledTimes(1)
  const many = open()
  many.ask(true).writableEnded = true
  many.ask(false)
  many.ask(false)
  expect(many.socket.destroy).toHaveBeenCalledTimes(1)
  expect(many.listener).toHaveBeenCalledTimes(1)
})
