import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { ReplicaChecks } from './replica-checks.ts'
import { createStamps, type Stamps } from './stamps.ts'

const KEY = randomBytes(32)
const ADDRESS = 'http://10.0.0.1:4428'

describe('another replica', () => {
  const ours = createStamps('http://10.0.0.2:4428', KEY)
  const theirs = createStamps(ADDRESS, KEY)
  const owner = ours.elsewhere(theirs.stamp('a')) ?? { address: '', mark: '' }

  /** Creates the checks for an address at which the given replica runs. */
  function meet(first: Stamps | undefined) {
    const at = { somebody: first, asked: 0 }
    const checks = new ReplicaChecks(ours, async (address, challenge) => {
      expect(address).toBe(ADDRESS)
      at.asked += 1
      return at.somebody?.prove(challenge)
    })
    return {
      at,
      isThere: (now: number) => checks.isThere(owner, now),
      forget: () => checks.forget(owner),
    }
  }

  it('is verified once and then trusted for a moment', async () => {
    const { at, isThere } = meet(theirs)
    expect(await Promise.all([isThere(0), isThere(1)])).toEqual([true, true])
    expect(await isThere(900)).toBe(true)
    expect(at.asked).toBe(1)
    expect(await isThere(6000)).toBe(true)
    expect(at.asked).toBe(2)
  })

  it('is not trusted if another process answers at its address, or none', async () => {
    const { at, isThere } = meet(theirs)
    expect(await isThere(0)).toBe(true)
    for (const somebody of [createStamps(ADDRESS, KEY), createStamps(ADDRESS, randomBytes(32)), undefined]) {
      at.somebody = somebody
      expect(await isThere(6000)).toBe(false)
    }
  })

  it('is verified again immediately after a failure', async () => {
    const { at, isThere, forget } = meet(undefined)
    expect(await isThere(0)).toBe(false)
    at.somebody = theirs
    expect(await isThere(1)).toBe(true)
    at.somebody = undefined
    forget()
    expect(await isThere(2)).toBe(false)
  })
})
