import { describe, expect, it } from 'vitest'
import type { Caller } from '../../exchange/exchange.ts'
import type { Answer, Surface } from '../../exchange/surface.ts'
import { ModernCall } from './modern-call.ts'
import { ParkedCalls } from './parked-calls.ts'

const SURFACE = {} as Surface
const callerOf = (id: string) =>
  ({ principal: { id, scope: {} }, envelope: { capabilities: { roots: {} } } }) as unknown as Caller

/** Creates storage for parked calls with room for 1,000 characters and three calls per caller. */
const createLot = () =>
  new ParkedCalls({ parkedCalls: 100, parkedPerPrincipal: 3, parkedMs: 60_000, bodyBytesPerPrincipal: 4000 })

async function park(parked: ParkedCalls, caller = 'ada', text = ''): Promise<ModernCall> {
  const params = { name: 'tool', arguments: { text } }
  const sink = { notify() {}, finish() {} }
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params } as const
  const call = new ModernCall(request, { caller: callerOf(caller), sink, surface: SURFACE, parked })
  void call.ask({ method: 'roots/list' })
  await new Promise(setImmediate)
  return call
}

function isThere(parked: ParkedCalls, { state, caller, method, params }: ModernCall): boolean {
  return parked.take(state, { caller, method, params, surface: SURFACE }) !== undefined
}

const answerOf = (length: number): Answer => ({ written: 'x'.repeat(length) })

describe('parked calls', () => {
  it('give way to newer ones of the same caller only', async () => {
    const parked = createLot()
    const other = await park(parked, 'eve')
    const calls = []
    for (let count = 0; count < 4; count++) calls.push(await park(parked))
    expect(calls.map(call => isThere(parked, call))).toEqual([false, true, true, true])
    expect(isThere(parked, other)).toBe(true)
  })

  it('give way when they are too long in total, but a single one can have any length', async () => {
    const parked = createLot()
    const long = await park(parked, 'ada', 'x'.repeat(5000))
    expect(isThere(parked, long)).toBe(true)
    const [first, second] = [
      await park(parked, 'ada', 'x'.repeat(600)),
      await park(parked, 'ada', 'x'.repeat(600)),
    ]
    expect([isThere(parked, first), isThere(parked, second)]).toEqual([false, true])
  })

  it('count the length of an answer that arrives before the client returns', async () => {
    const parked = createLot()
    const [first, second] = [await park(parked), await park(parked)]
    const other = await park(parked, 'eve')
    first.finish(answerOf(600))
    second.finish(answerOf(600))
    expect([first, second, other].map(call => isThere(parked, call))).toEqual([false, true, true])
  })

  it('count the length of their questions, later ones included', async () => {
    const parked = createLot()
    const [first, second] = [await park(parked), await park(parked)]
    const ask = (call: ModernCall) =>
      void call.ask({ method: 'roots/list', params: { text: 'x'.repeat(600) } })
    ask(first)
    ask(second)
    expect([first, second].map(call => isThere(parked, call))).toEqual([false, true])
  })

  it('have a limited number of open questions, with room for more after answers', async () => {
    const parked = createLot()
    const call = await park(parked)
    for (let count = 1; count < 32; count++) void call.ask({ method: 'roots/list' })
    expect(await call.ask({ method: 'roots/list' })).toMatchObject({ error: { code: -32603 } })
    const long = await park(createLot(), 'eve')
    const text = 'x'.repeat(8_000_000)
    expect(await long.ask({ method: 'roots/list', params: { text } })).toMatchObject({
      error: { code: -32603 },
    })
    call.resume({ notify() {}, finish() {} }, { 'ask-1': { roots: [] } })
    const next = call.ask({ method: 'roots/list' })
    expect(await Promise.race([next, Promise.resolve('waits')])).toBe('waits')
  })

  it('have a limited length of open questions, with room for more after answers', async () => {
    const call = await park(createLot())
    const params = { text: 'x'.repeat(5_000_000) }
    void call.ask({ method: 'roots/list', params })
    expect(await call.ask({ method: 'roots/list', params })).toMatchObject({ error: { code: -32603 } })
    call.resume({ notify() {}, finish() {} }, { 'ask-1': { roots: [] }, 'ask-2': { roots: [] } })
    const next = call.ask({ method: 'roots/list', params })
    expect(await Promise.race([next, Promise.resolve('waits')])).toBe('waits')
  })

  it('can have one answer of any length', async () => {
    const parked = createLot()
    const call = await park(parked)
    call.finish(answerOf(50_000))
    expect(isThere(parked, call)).toBe(true)
  })
})
