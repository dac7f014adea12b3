import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../admission/limits.ts'
import { CalledOff } from './called-off.ts'
import { Callers } from './callers.ts'

const SECOND = 1000
const BOB = { principal: 'agent:bob', session: 'b1' }
const BOB_AGAIN = { principal: 'agent:bob', session: 'b2' }
const EVE = { principal: 'agent:eve', session: 'e1' }

let callers: Callers
let calledOff: CalledOff
beforeEach(() => {
  callers = new Callers()
  calledOff = new CalledOff(callers)
})

describe('with requests under way', () => {
  it('a server means who is alone, in one session', () => {
    expect(calledOff.findCaller([], 0)).toBeUndefined()
    expect(calledOff.findCaller([BOB], 0)).toEqual(BOB)
    expect(calledOff.findCaller([BOB, BOB], 0)).toEqual(BOB)
    expect(calledOff.findCaller([BOB, BOB_AGAIN], 0)).toBeUndefined()
    expect(calledOff.findCaller([BOB, EVE], 0)).toBeUndefined()
  })

  it('a server may mean who was answered half a minute ago, but not an earlier session of the same caller', () => {
    callers.ended(EVE, 0)
    callers.ended(BOB_AGAIN, 0)
    expect(calledOff.findCaller([BOB], 29 * SECOND)).toBeUndefined()
    expect(calledOff.findCaller([BOB], 30 * SECOND)).toEqual(BOB)
    callers.ended(BOB_AGAIN, 31 * SECOND)
    expect(calledOff.findCaller([BOB], 32 * SECOND)).toEqual(BOB)
  })

  it('a server may mean a request that was called off, until it has answered or five minutes are over', () => {
    calledOff.add(1, EVE, 0)
    calledOff.add(2, BOB_AGAIN, 0)
    expect(calledOff.findCaller([BOB], 60 * SECOND)).toBeUndefined()
    calledOff.takeAnswer(1, 61 * SECOND)
    expect(calledOff.findCaller([BOB], 95 * SECOND)).toBeUndefined()
    expect(calledOff.findCaller([BOB], 300 * SECOND)).toEqual(BOB)
    calledOff.add(3, EVE, 0)
    calledOff.takeAnswer(3, 310 * SECOND)
    expect(calledOff.findCaller([BOB], 311 * SECOND)).toBeUndefined()
    expect(calledOff.findCaller([BOB], 341 * SECOND)).toEqual(BOB)
  })

  it('a request that was called off is answered once', () => {
    for (let id = 0; id < 5000; id++) calledOff.add(id, id === 7 ? undefined : EVE, 0)
    for (let id = 0; id < 5000; id++) expect(calledOff.takeAnswer(id, 1)).toBe(true)
    expect([calledOff.takeAnswer(7, 2), calledOff.takeAnswer(5000, 2)]).toEqual([false, false])
  })

  it('so many were called off that nobody can tell', () => {
    const { count } = LIMITS.questions.ofServer
    for (let id = 0; id <= count; id++) calledOff.add(id, id === 0 ? EVE : BOB, 0)
    for (let id = 0; id <= count; id++) calledOff.takeAnswer(id, 1)
    expect(calledOff.findCaller([BOB], 60 * SECOND)).toBeUndefined()
    expect(calledOff.findCaller([BOB], 300 * SECOND)).toEqual(BOB)
  })
})

describe('with nothing under way', () => {
  it('a server means the last one, however long ago, if nobody else was ever there', () => {
    callers.ended(BOB, 0)
    callers.ended(BOB_AGAIN, SECOND)
    expect(calledOff.findCaller([], 2 * SECOND)).toBeUndefined()
    expect(calledOff.findCaller([], 3600 * SECOND)).toEqual({ ...BOB_AGAIN, at: SECOND })
    callers.ended(EVE, 3601 * SECOND)
    expect(calledOff.findCaller([], 3602 * SECOND)).toMatchObject(EVE)
    expect(calledOff.findCaller([], 7200 * SECOND)).toBeUndefined()
  })

  it('who came and went long ago is forgotten', () => {
    for (let at = 0; at < 1000; at++) callers.ended({ principal: `agent:${at}`, session: 's' }, at * SECOND)
    expect(calledOff.findCaller([BOB], 1000 * SECOND)).toBeUndefined()
    expect(calledOff.findCaller([BOB], 1029 * SECOND)).toEqual(BOB)
  })
})
