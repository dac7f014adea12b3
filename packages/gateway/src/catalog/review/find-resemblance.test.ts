import { describe, expect, it } from 'vitest'
import type { StoredDefinition } from '../../store/store.ts'
import { findResemblances, KnownBodies } from './find-resemblance.ts'
import { itemsOf, stored } from './test-support/stored.ts'

const READ = { name: 'read', description: 'Reads one note of yours and gives its text.' }

/** Finds the definitions among `others` that `own` resembles. */
function resemble(own: StoredDefinition, ...others: readonly StoredDefinition[]) {
  const known = [own, ...others]
  const items = itemsOf(...known)
  const item = items.find(one => one.stored === own)
  return item === undefined ? [] : findResemblances(item, items, new KnownBodies(known))
}

describe('a new tool', () => {
  it('may be a removed one under another name', () => {
    const own = stored([[{ ...READ, name: 'fetch' }]])
    expect(resemble(own, stored([[READ, 'rejected']], { isGone: true }))).toEqual([
      { how: 'renamed from', id: 'notes:read', state: 'gone', was: 'rejected' },
    ])
    const changedSince = stored([[READ], [{ ...READ, description: 'Something else.' }]], { isGone: true })
    expect(resemble(own, changedSince)).toMatchObject([{ how: 'renamed from' }])
  })

  it('may be a copy of an existing one, on the same or another server', () => {
    const own = stored([[{ ...READ, name: 'fetch' }]])
    expect(
      resemble(
        own,
        stored([[READ, 'approved']]),
        stored([[READ]], { server: 'crm' }),
        stored([[READ]], { kind: 'prompt' }),
      ),
    ).toEqual([
      { how: 'copy of', id: 'notes:read', state: 'approved' },
      { how: 'copy of', id: 'crm:read', state: 'pending' },
    ])
  })

  it('is not a copy if only an empty description is the same', () => {
    const bare = { name: 'a', inputSchema: { type: 'object' } }
    expect(resemble(stored([[bare]]), stored([[{ ...bare, name: 'b' }]]))).toEqual([])
  })

  it('may be mistaken for an approved one of another server', () => {
    const like = (definition: { name: string; description: string }) =>
      resemble(stored([[definition]]), stored([[READ, 'approved']], { server: 'crm' })).map(({ how }) => how)
    expect(like({ name: 'read', description: 'Quite another thing.' })).toEqual(['has the name of'])
    expect(like({ name: 'rеad', description: 'Quite another thing.' })).toEqual(['is named like'])
    expect(like({ name: 'Re-Ad', description: 'Quite another thing.' })).toEqual(['is named like'])
    expect(like({ name: 'x', description: 'Reads one note of yours, and gives its whole text.' })).toEqual([
      'is described like',
    ])
    expect(like({ name: 'x', description: 'Writes one letter of mine.' })).toEqual([])
  })

  it("is not compared with unapproved tools or with its own server's tools", () => {
    const own = stored([[{ name: 'read', description: 'Quite another thing.' }]])
    expect(resemble(own, stored([[READ]], { server: 'crm' }))).toEqual([])
    expect(resemble(own, stored([[{ ...READ, name: 're_ad' }, 'approved']]))).toEqual([])
  })
})
