import { beforeEach, describe, expect, it } from 'vitest'
import { LIMITS } from '../../admission/limits.ts'
import { Callers } from './callers.ts'

const SECOND = 1000
const BOB = { principal: 'agent:bob', session: 'b1' }
const BOB_AGAIN = { principal: 'agent:bob', session: 'b2' }
const EVE = { principal: 'agent:eve', session: 'e1' }

let callers: Callers
beforeEach(() => {
  callers = new Callers()
})

describe('with requests under way', () => {
  it('a server means who is alone, in one session', () => {
    expect(callers.find([], 0)).toBeUndefined()
    expect(callers.find([BOB], 0)).toEqual(BOB)
    expect(callers.find([BOB, BOB], 0)).toEqual(BOB)
    expect(callers.find([BOB, BOB_AGAIN], 0)).toBeUndefined()
    expect(callers.find([BOB, EVE], 0)).toBeUndefined()
  })

  it('a server may mean who was answered half a minute ago, but not an earlier session of the same caller', () => {
    callers.ended(EVE, 0)
    callers.ended(BOB_AGAIN, 0)
    expect(callers.find([BOB], 29 * SECOND)).toBeUndefined()
    expect(callers.find([BOB], 30 * SECOND)).toEqual(BOB)
    callers.ended(BOB_AGAIN, 31 * SECOND)
    expect(callers.find([BOB], 32 * SECOND)).toEqual(BOB)
  })

  it('a server may mean a request that was called off, until it has answered or five minutes are over', () => {
    callers.calledOff(1, EVE, 0)
    callers.calledOff(2, BOB_AGAIN, 0)
    expect(callers.find([BOB], 60 * SECOND)).toBeUndefined()
    callers.answered(1, 61 * SECOND)
    expect(callers.find([BOB], 95 * SECOND)).toBeUndefined()
    expect(callers.find([BOB], 300 * SECOND)).toEqual(BOB)
    callers.calledOff(3, EVE, 0)
    callers.answered(3, 310 * SECOND)
    expect(callers.find([BOB], 311 * SECOND)).toBeUndefined()
    expect(callers.find([BOB], 341 * SECOND)).toEqual(BOB)
  })

  it('a request that was called off is answered once', () => {
    for (let id = 0; id < 5000; id++) callers.calledOff(id, id === 7 ? undefined : EVE, 0)
    for (let id = 0; id < 5000; id++) expect(callers.answered(id, 1)).toBe(true)
    expect([callers.answered(7, 2), callers.answered(5000, 2)]).toEqual([false, false])
  })

  it('so many were called off that nobody can tell', () => {
    const { count } = LIMITS.questions.ofServer
    for (let id = 0; id <= count; id++) callers.calledOff(id, id === 0 ? EVE : BOB, 0)
    for (let id = 0; id <= count; id++) callers.answered(id, 1)
    expect(callers.find([BOB], 60 * SECOND)).toBeUndefined()
    expect(callers.find([BOB], 300 * SECOND)).toEqual(BOB)
  })
})

describe('with nothing under way', () => {
  it('a server means the last one, however long ago, if nobody else was ever there', () => {
    callers.ended(BOB, 0)
    callers.ended(BOB_AGAIN, SECOND)
    expect(callers.find([], 2 * SECOND)).toBeUndefined()
    expect(callers.find([], 3600 * SECOND)).toEqual({ ...BOB_AGAIN, at: SECOND })
    callers.ended(EVE, 3601 * SECOND)
    expect(callers.find([], 3602 * SECOND)).toMatchObject(EVE)
    expect(callers.find([], 7200 * SECOND)).toBeUndefined()
  })

  it('who came and went long ago is forgotten', () => {
    for (let at = 0; at < 1000; at++) callers.ended({ principal: `agent:${at}`, session: 's' }, at * SECOND)
    expect(callers.find([BOB], 1000 * SECOND)).toBeUndefined()
    expect(callers.find([BOB], 1029 * SECOND)).toEqual(BOB)
  })
})
