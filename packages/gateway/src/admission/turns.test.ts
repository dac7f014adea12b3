import { describe, expect, it } from 'vitest'
import { type Leave, Turns } from './turns.ts'

const SERVER = { name: 's', parallel: 'exclusive-writes' } as const

/** Creates a call that reports when it gets its turn, and that can be cancelled. */
function call(turns: Turns, kind: 'read' | 'write', session = 'one', server = SERVER) {
  const state = { turn: undefined as Leave | 'cancelled' | undefined, cancel: () => {} }
  const exchange = {
    caller: { session },
    onCancel: (listener: () => void) => {
      state.cancel = listener
    },
  }
  void turns.take(exchange, kind, server)?.then(turn => {
    state.turn = turn
  })
  return state
}

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
const isRunning = ({ turn }: ReturnType<typeof call>): boolean => typeof turn === 'function'

async function leave(one: ReturnType<typeof call> | undefined): Promise<void> {
  if (typeof one?.turn === 'function') one.turn()
  await settle()
}

describe('turns at a server whose writes run alone', () => {
  it('let reads run together, and a write wait for all of them', async () => {
    const turns = new Turns()
    const calls = [call(turns, 'read'), call(turns, 'read'), call(turns, 'write'), call(turns, 'read')]
    await settle()
    expect(calls.map(isRunning)).toEqual([true, true, false, false])
    await leave(calls[0])
    expect(calls.map(isRunning)).toEqual([true, true, false, false])
    await leave(calls[1])
    // The read arrived after the write, so it waits in order to see what was written.
    expect(calls.map(isRunning)).toEqual([true, true, true, false])
    await leave(calls[2])
    expect(calls.map(isRunning)).toEqual([true, true, true, true])
  })

  it('do not make another session wait', async () => {
    const turns = new Turns()
    const mine = call(turns, 'write')
    const other = call(turns, 'write', 'two')
    await settle()
    expect([mine, other].map(isRunning)).toEqual([true, true])
  })

  it('move on when a waiting call gives up', async () => {
    const turns = new Turns()
    const [first, second, third] = [call(turns, 'read'), call(turns, 'write'), call(turns, 'read')]
    await settle()
    second.cancel()
    await settle()
    expect(second.turn).toBe('cancelled')
    expect([first, third].map(isRunning)).toEqual([true, true])
  })

  it('are not needed at other servers', () => {
    const waiting = { caller: { session: 'one' }, onCancel: () => {} }
    expect(new Turns().take(waiting, 'write', { name: 's', parallel: 'free' })).toBeUndefined()
  })
})
