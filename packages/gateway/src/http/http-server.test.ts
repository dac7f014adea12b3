import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { collectGarbage } from '../base/collect-garbage.ts'
import type { Config } from '../config/config.ts'
import { createHttpServer } from './http-server.ts'

const CONFIG = { limits: { headerBytes: 1000, connections: 10 } } as unknown as Config

/** A fake connection with its responses, reduced to what the tests observe. */
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

it('delays a request whose client has read the previous answer before Node knows it', () => {
  const { listener, socket, ask } = open()
  ask(true).writableEnded = true
  const next = ask(false)
  expect(listener).toHaveBeenCalledTimes(1)
  next.emit('socket', socket)
  expect(listener).toHaveBeenCalledTimes(2)
  expect(socket.destroy).not.toHaveBeenCalled()
})

it('does not count a connection as idle when its next request arrives as the previous one ends', () => {
  const { leave, socket, ask } = open()
  const before = ask(true)
  before.writableEnded = true
  const next = ask(false)
  // Node behaves in this order: the next response gets its socket before the end of the previous one is reported.
  next.emit('socket', socket)
  before.emit('close')
  expect(leave).not.toHaveBeenCalled()
  next.emit('close')
  expect(leave).toHaveBeenCalledTimes(1)
})

it('keeps no finished response in memory while its connection stays open', () => {
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

it('closes a connection that sends a second request before the answer, or while another one waits', () => {
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
