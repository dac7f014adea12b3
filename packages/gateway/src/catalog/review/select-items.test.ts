import { describe, expect, it } from 'vitest'
import type { StoredDefinition } from '../../store/store.ts'
import { selectItems, sortOut, type Wanted } from './select-items.ts'
import { itemsOf, stored } from './test-support/stored.ts'

const tool = (name: string, description = `The tool ${name}.`) => ({ name, description })
const NEW = stored([[tool('new')]])
const CHANGED = stored([[tool('old'), 'approved'], [tool('old', 'Now something else.')]])
const APPROVED = stored([[tool('good'), 'approved']])
const REJECTED = stored([[tool('bad'), 'rejected']])
const GONE = stored([[tool('gone')]], { isGone: true })
const PROMPT = stored([[tool('greet')]], { kind: 'prompt' })
const ELSEWHERE = stored([[tool('new')]], { server: 'crm' })
const ALL = [NEW, CHANGED, APPROVED, REJECTED, GONE, PROMPT, ELSEWHERE]

function select(wanted: Partial<Wanted>, known: readonly StoredDefinition[] = ALL) {
  const present = { known, items: itemsOf(...known), servers: new Set(['notes']) }
  const { chosen, objections } = selectItems(present, {
    targets: [],
    usualStates: ['pending', 'changed'],
    ...wanted,
  })
  return { ids: chosen.map(one => `${one.stored.server}:${one.stored.name}`), chosen, objections }
}

describe('what a reviewer means', () => {
  it('by name is that one, whatever its state', () => {
    expect(select({ targets: ['notes:bad', 'crm:new', 'notes:bad'] })).toMatchObject({
      ids: ['notes:bad', 'crm:new'],
      objections: [],
    })
  })

  it('by server is all of it that waits', () => {
    expect(select({ targets: ['notes:*'] }).ids).toEqual(['notes:new', 'notes:old', 'notes:greet'])
    expect(select({ targets: ['notes:*'], kind: 'prompt' }).ids).toEqual(['notes:greet'])
    expect(select({ targets: ['notes:*'], states: ['rejected'] }).ids).toEqual(['notes:bad'])
  })

  it('by nothing but a filter is what matches on the servers of the config', () => {
    expect(select({ states: ['changed'] }).ids).toEqual(['notes:old'])
    expect(select({}).ids).toEqual(['notes:new', 'notes:old', 'notes:greet'])
  })

  it('by fingerprint is the version that they saw, or nothing', () => {
    const digits = NEW.current?.slice(0, 8)
    expect(select({ targets: [`notes:new@${digits}`] }).chosen).toMatchObject([{ how: 'by fingerprint' }])
    const before = CHANGED.versions[0]?.fingerprint.slice(0, 12)
    expect(select({ targets: [`notes:old@${before}`] })).toMatchObject({
      chosen: [],
      objections: [{ isUsage: false, message: expect.stringContaining('changed since you looked') }],
    })
  })

  it('and saw counts as seen, however else it is named', () => {
    const seen = `notes:new@${NEW.current}`
    for (const targets of [
      [seen, 'notes:*'],
      ['notes:*', seen],
    ])
      expect(select({ targets }).chosen.find(one => one.stored === NEW)?.how).toBe('by fingerprint')
  })

  it.each([
    ['nodes:new', 'did you mean notes?'],
    ['notes:newx', 'did you mean "notes:new"?'],
    ['notes:zzzzzzzzz', 'tools review'],
    ['zzzzzzz:*', 'known once it was asked'],
    ['notes:gone', 'tools history'],
  ])('is not there as %s', (target, fix) => {
    expect(select({ targets: [target, 'notes:new'] }).objections).toMatchObject([
      { isUsage: false, fix: expect.stringContaining(fix) },
    ])
  })

  it('must be said where a name is that of two kinds', () => {
    const known = [NEW, stored([[tool('new')]], { kind: 'prompt' })]
    expect(select({ targets: ['notes:new'] }, known).objections).toMatchObject([
      { isUsage: true, fix: 'say which with --kind tool or --kind prompt' },
    ])
    expect(select({ targets: ['notes:new'], kind: 'prompt' }, known).chosen).toMatchObject([
      { stored: { kind: 'prompt' } },
    ])
    const twin = stored([[tool('new', 'Another text.')]], { kind: 'prompt' })
    expect(select({ targets: [`notes:new@${twin.current}`] }, [NEW, twin]).chosen).toMatchObject([
      { stored: { kind: 'prompt' } },
    ])
  })

  it('is refused by name where it is not in the state that was asked for', () => {
    expect(select({ targets: ['notes:new'], states: ['changed'] }).objections).toMatchObject([
      { message: '"notes:new" is pending, not changed' },
    ])
  })
})

describe('what had better not be approved', () => {
  const SHADOWING = stored([[tool('describe_tool')]])
  const UNPRINTED: StoredDefinition = {
    ...NEW,
    name: 'odd',
    current: 'none:no canonical JSON',
    versions: NEW.versions.map(version => ({ ...version, fingerprint: 'none:no canonical JSON' })),
  }
  const known = [NEW, SHADOWING, UNPRINTED]

  it('is left out among many, with the reason', () => {
    const sorted = sortOut(select({}, known).chosen, true)
    expect(sorted.sound.map(one => one.stored)).toEqual([NEW])
    expect(sorted.left.map(({ message }) => message)).toEqual([
      expect.stringContaining("one of the gateway's own tools"),
      expect.stringContaining('cannot be approved: it has no canonical JSON'),
    ])
    expect(sorted.refused).toEqual([])
  })

  it('by name is approved if it is only its name that is odd', () => {
    const { chosen } = select({ targets: ['notes:describe_tool', 'notes:odd'] }, known)
    const { sound, refused } = sortOut(chosen, true)
    expect(sound.map(one => one.stored)).toEqual([SHADOWING])
    expect(refused).toMatchObject([{ message: expect.stringContaining('"notes:odd" cannot be approved') }])
  })

  it('can be rejected all the same', () => {
    expect(sortOut(select({}, known).chosen, false).sound).toHaveLength(3)
  })
})
