import { describe, expect, it } from 'vitest'
import { Sealer } from './seal.ts'
import { bindingsOf } from './shown-request.ts'

const key = Buffer.alloc(32, 7)
const STATE = { approval: 'ap_1', caller: 'agent:a', tool: 'crm:delete' }

describe('a sealed state', () => {
  it('opens unchanged, and only with the same key', () => {
    const sealed = new Sealer(key).seal({ ...STATE, inner: 'state of a server' })
    expect(new Sealer(key).open(sealed)).toEqual({ ...STATE, inner: 'state of a server' })
    expect(new Sealer(Buffer.alloc(32, 8)).open(sealed)).toBeUndefined()
  })

  it('differs every time and reveals none of its content', () => {
    const sealer = new Sealer(key)
    const [one, other] = [sealer.seal(STATE), sealer.seal(STATE)]
    expect(one).not.toBe(other)
    expect(Buffer.from(one.slice(5), 'base64url').toString('latin1')).not.toContain('ap_1')
  })

  it('does not open when one bit is changed or a part is missing', () => {
    const sealer = new Sealer(key)
    const bytes = Buffer.from(sealer.seal(STATE).slice(5), 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(sealer.open(`hgc1.${changed.toString('base64url')}`)).toBeUndefined()
    }
    for (let length = 0; length < bytes.length; length++)
      expect(sealer.open(`hgc1.${bytes.subarray(0, length).toString('base64url')}`)).toBeUndefined()
  })
})

describe('the bindings of an approval', () => {
  const bound: Parameters<typeof bindingsOf>[0] = {
    channel: 'any',
    targets: [],
    asking: ['confirm.destructive'],
    principal: 'agent:a',
    session: 's',
    tool: 'crm:delete',
    fingerprint: 'f',
    args: { id: 1, more: { b: 2, a: [1, 2] } },
    rules: 'r',
  }

  it('do not depend on the order of keys', () => {
    const turned = { more: { a: [1, 2], b: 2 }, id: 1 }
    expect(bindingsOf({ ...bound, args: turned })).toEqual(bindingsOf(bound))
  })

  it.each([
    { principal: 'agent:b' },
    { tool: 'crm:other' },
    { fingerprint: 'g' },
    { rules: 'q' },
    { channel: 'person' as const },
    { asking: ['confirm.destructive', 'policy.x'] },
    { args: { id: 2, more: { b: 2, a: [1, 2] } } },
    { args: { id: '1', more: { b: 2, a: [1, 2] } } },
    { args: { id: 1, more: { b: 2, a: [2, 1] } } },
  ])('change with %j', change => {
    expect(bindingsOf({ ...bound, ...change }).once).not.toBe(bindingsOf(bound).once)
    expect(bindingsOf({ ...bound, ...change }).arguments).not.toBe(bindingsOf(bound).arguments)
  })

  it.each([
    [undefined, { set: 'support', override: 'o' }],
    [
      { set: 'support', override: 'o' },
      { set: 'sales', override: 'o' },
    ],
    [
      { set: 'support', override: 'o' },
      { set: 'support', override: 'p' },
    ],
  ])('of every kind differ between %j and %j', (view, other) => {
    const [one, two] = [bindingsOf({ ...bound, view }), bindingsOf({ ...bound, view: other })]
    expect(Object.values(one).filter(digest => Object.values(two).includes(digest))).toEqual([])
  })

  it('are of several kinds that never match each other', () => {
    const { once, arguments: args, session } = bindingsOf(bound)
    expect(new Set([once, args, session]).size).toBe(3)
    const elsewhere = bindingsOf({ ...bound, session: 't' })
    expect([elsewhere.once, elsewhere.arguments]).toEqual([once, args])
    expect(elsewhere.session).not.toBe(session)
  })
})
