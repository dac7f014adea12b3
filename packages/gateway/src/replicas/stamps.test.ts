import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { createStamps, NO_STAMPS } from './stamps.ts'

const KEY = randomBytes(32)
const ONE = 'http://10.0.0.1:4428'
const OTHER = 'http://10.0.0.2:4428'

describe('the stamp of a replica', () => {
  it('identifies its owner to other replicas, but not to itself', () => {
    const one = createStamps(ONE, KEY)
    const other = createStamps(OTHER, KEY)
    const name = one.stamp('a-session')
    expect(name).toMatch(/^a-session~[\w-]+$/)
    expect(name).not.toContain('10.0.0.1')
    expect([other.elsewhere(name)?.address, other.elsewhere(name)?.address]).toEqual([ONE, ONE])
    expect(one.elsewhere(name)).toBeUndefined()
  })

  it('has no owner after a restart, because its sessions and calls are gone', () => {
    expect(createStamps(ONE, KEY).elsewhere(createStamps(ONE, KEY).stamp('a'))).toBeUndefined()
  })

  it('can be proved only by the process that made it', () => {
    const one = createStamps(ONE, KEY)
    const other = createStamps(OTHER, KEY)
    const owner = other.elsewhere(one.stamp('a')) ?? { address: '', mark: '' }
    const isProof = (proof = '') => other.isProof(proof, owner, 'who are you?')
    expect(isProof(one.prove('who are you?'))).toBe(true)
    expect(isProof(one.prove('who were you?'))).toBe(false)
    // None of these can prove it: the next process at that address, another replica, and a process without the key.
    expect(isProof(createStamps(ONE, KEY).prove('who are you?'))).toBe(false)
    expect(isProof(other.prove('who are you?'))).toBe(false)
    expect(isProof(createStamps(ONE, randomBytes(32)).prove('who are you?'))).toBe(false)
    expect(NO_STAMPS.prove('who are you?')).toBeUndefined()
  })

  it('cannot be made, changed or reused without the key', () => {
    const one = createStamps(ONE, KEY)
    const made = createStamps('http://169.254.169.254', randomBytes(32)).stamp('a')
    const [name = '', mark = ''] = createStamps(OTHER, KEY).stamp('a').split('~')
    const changed = `${name}~${mark.slice(0, -3)}${mark.endsWith('AAA') ? 'BBB' : 'AAA'}`
    for (const forged of [made, changed, 'a~http://169.254.169.254', 'a~', '~', 'a']) {
      expect(one.elsewhere(forged)).toBeUndefined()
      expect(NO_STAMPS.elsewhere(forged)).toBeUndefined()
    }
  })
})
