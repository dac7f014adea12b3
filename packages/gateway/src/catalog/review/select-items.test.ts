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

describe('a review selection', () => {
  it('by name contains that definition in any state', () => {
    expect(select({ targets: ['notes:bad', 'crm:new', 'notes:bad'] })).toMatchObject({
      ids: ['notes:bad', 'crm:new'],
      objections: [],
    })
  })

  it('by server contains all of its definitions that wait', () => {
    expect(select({ targets: ['notes:*'] }).ids).toEqual(['notes:new', 'notes:old', 'notes:greet'])
    expect(select({ targets: ['notes:*'], kind: 'prompt' }).ids).toEqual(['notes:greet'])
    expect(select({ targets: ['notes:*'], states: ['rejected'] }).ids).toEqual(['notes:bad'])
  })

  it('by filter contains all matches on the servers of the config', () => {
    expect(select({ states: ['changed'] }).ids).toEqual(['notes:old'])
    expect(select({}).ids).toEqual(['notes:new', 'notes:old', 'notes:greet'])
  })

  it('by fingerprint contains exactly that version', () => {
    const digits = NEW.current?.slice(0, 8)
    expect(select({ targets: [`notes:new@${digits}`] }).chosen).toMatchObject([{ how: 'by fingerprint' }])
    const before = CHANGED.versions[0]?.fingerprint.slice(0, 12)
    expect(select({ targets: [`notes:old@${before}`] })).toMatchObject({
      chosen: [],
      objections: [{ isUsage: false, message: expect.stringContaining('changed since you looked') }],
    })
  })

  it('by fingerprint counts as seen even if it is also selected by name', () => {
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
    ['zzzzzzz:*', 'becomes known when it is asked'],
    ['notes:gone', 'tools history'],
  ])('is rejected as %s', (target, fix) => {
    expect(select({ targets: [target, 'notes:new'] }).objections).toMatchObject([
      { isUsage: false, fix: expect.stringContaining(fix) },
    ])
  })

  it('needs a kind if the name is ambiguous', () => {
    const known = [NEW, stored([[tool('new')]], { kind: 'prompt' })]
    expect(select({ targets: ['notes:new'] }, known).objections).toMatchObject([
      { isUsage: true, fix: 'choose one with --kind tool or --kind prompt' },
    ])
    expect(select({ targets: ['notes:new'], kind: 'prompt' }, known).chosen).toMatchObject([
      { stored: { kind: 'prompt' } },
    ])
    const twin = stored([[tool('new', 'Another text.')]], { kind: 'prompt' })
    expect(select({ targets: [`notes:new@${twin.current}`] }, [NEW, twin]).chosen).toMatchObject([
      { stored: { kind: 'prompt' } },
    ])
  })

  it('by name is refused in a state other than the given one', () => {
    expect(select({ targets: ['notes:new'], states: ['changed'] }).objections).toMatchObject([
      { message: '"notes:new" is pending, not changed' },
    ])
  })
})

describe('an item that should not be approved', () => {
  const SHADOWING = stored([[tool('describe_tool')]])
  const UNPRINTED: StoredDefinition = {
    ...NEW,
    name: 'odd',
    current: 'none:no canonical JSON',
    versions: NEW.versions.map(version => ({ ...version, fingerprint: 'none:no canonical JSON' })),
  }
  const known = [NEW, SHADOWING, UNPRINTED]

  it('is left out of a bulk approval, with the reason', () => {
    const sorted = sortOut(select({}, known).chosen, true)
    expect(sorted.sound.map(one => one.stored)).toEqual([NEW])
    expect(sorted.left.map(({ message }) => message)).toEqual([
      expect.stringContaining("one of the gateway's own tools"),
      expect.stringContaining('cannot be approved: it has no canonical JSON'),
    ])
    expect(sorted.refused).toEqual([])
  })

  it('is approved by name if only its name is unusual', () => {
    const { chosen } = select({ targets: ['notes:describe_tool', 'notes:odd'] }, known)
    const { sound, refused } = sortOut(chosen, true)
    expect(sound.map(one => one.stored)).toEqual([SHADOWING])
    expect(refused).toMatchObject([{ message: expect.stringContaining('"notes:odd" cannot be approved') }])
  })

  it('can be rejected', () => {
    expect(sortOut(select({}, known).chosen, false).sound).toHaveLength(3)
  })
})
