import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../admission/limits.ts'
import { Callers } from './callers.ts'
import { CancelledRequests } from './cancelled-requests.ts'

const SECOND = 1000
const BOB = { principal: 'agent:bob', session: 'b1' }
const BOB_AGAIN = { principal: 'agent:bob', session: 'b2' }
const EVE = { principal: 'agent:eve', session: 'e1' }

let callers: Callers
let cancelled: CancelledRequests
beforeEach(() => {
  callers = new Callers()
  cancelled = new CancelledRequests(callers)
})

describe('with open requests', () => {
  it('finds the caller if there is only one, in one session', () => {
    expect(cancelled.findCaller([], 0)).toBeUndefined()
    expect(cancelled.findCaller([BOB], 0)).toEqual(BOB)
    expect(cancelled.findCaller([BOB, BOB], 0)).toEqual(BOB)
    expect(cancelled.findCaller([BOB, BOB_AGAIN], 0)).toBeUndefined()
    expect(cancelled.findCaller([BOB, EVE], 0)).toBeUndefined()
  })

  it('counts callers of the last half minute, but not an earlier session of the same caller', () => {
    callers.ended(EVE, 0)
    callers.ended(BOB_AGAIN, 0)
    expect(cancelled.findCaller([BOB], 29 * SECOND)).toBeUndefined()
    expect(cancelled.findCaller([BOB], 30 * SECOND)).toEqual(BOB)
    callers.ended(BOB_AGAIN, 31 * SECOND)
    expect(cancelled.findCaller([BOB], 32 * SECOND)).toEqual(BOB)
  })

  it('counts a cancelled request until its answer, or for five minutes', () => {
    cancelled.add(1, EVE, 0)
    cancelled.add(2, BOB_AGAIN, 0)
    expect(cancelled.findCaller([BOB], 60 * SECOND)).toBeUndefined()
    cancelled.takeAnswer(1, 61 * SECOND)
    expect(cancelled.findCaller([BOB], 95 * SECOND)).toBeUndefined()
    expect(cancelled.findCaller([BOB], 300 * SECOND)).toEqual(BOB)
    cancelled.add(3, EVE, 0)
    cancelled.takeAnswer(3, 310 * SECOND)
    expect(cancelled.findCaller([BOB], 311 * SECOND)).toBeUndefined()
    expect(cancelled.findCaller([BOB], 341 * SECOND)).toEqual(BOB)
  })

  it('takes the answer to a cancelled request once', () => {
    for (let id = 0; id < 5000; id++) cancelled.add(id, id === 7 ? undefined : EVE, 0)
    for (let id = 0; id < 5000; id++) expect(cancelled.takeAnswer(id, 1)).toBe(true)
    expect([cancelled.takeAnswer(7, 2), cancelled.takeAnswer(5000, 2)]).toEqual([false, false])
  })

  it('finds no caller after too many cancellations', () => {
    const { count } = LIMITS.questions.ofServer
    for (let id = 0; id <= count; id++) cancelled.add(id, id === 0 ? EVE : BOB, 0)
    for (let id = 0; id <= count; id++) cancelled.takeAnswer(id, 1)
    expect(cancelled.findCaller([BOB], 60 * SECOND)).toBeUndefined()
    expect(cancelled.findCaller([BOB], 300 * SECOND)).toEqual(BOB)
  })
})

describe('without open requests', () => {
  it('finds the last caller, however long ago, if there was no other', () => {
    callers.ended(BOB, 0)
    callers.ended(BOB_AGAIN, SECOND)
    expect(cancelled.findCaller([], 2 * SECOND)).toBeUndefined()
    expect(cancelled.findCaller([], 3600 * SECOND)).toEqual({ ...BOB_AGAIN, at: SECOND })
    callers.ended(EVE, 3601 * SECOND)
    expect(cancelled.findCaller([], 3602 * SECOND)).toMatchObject(EVE)
    expect(cancelled.findCaller([], 7200 * SECOND)).toBeUndefined()
  })

  it('forgets callers that left long ago', () => {
    for (let at = 0; at < 1000; at++) callers.ended({ principal: `agent:${at}`, session: 's' }, at * SECOND)
    expect(cancelled.findCaller([BOB], 1000 * SECOND)).toBeUndefined()
    expect(cancelled.findCaller([BOB], 1029 * SECOND)).toEqual(BOB)
  })
})
