import { describe, expect, it } from 'vitest'
import { findNameVerbs } from './name-verb.ts'
import { splitWords } from './split-words.ts'

function verbsOf(name: string, nouns: readonly string[] = []): string[] {
  return findNameVerbs(splitWords(name), new Set(nouns)).map(({ verb }) => verb.base)
}

describe('findNameVerbs', () => {
  it.each([
    ['delete_file', 'delete'],
    ['crm_contact_delete', 'delete'],
    ['issue-read', 'read'],
    ['mcp__x__list', 'list'],
    ['atlas_create_access_list', 'create'],
    ['access_list_create', 'create'],
    ['batch_delete_items', 'delete'],
    ['api_get_last_update', 'get'],
    ['get_deleted_items', 'get'],
    ['getguidance', 'get'],
  ])('%s', (name, base) => {
    expect(verbsOf(name)[0]).toBe(base)
  })

  it('finds none in a name of nouns', () => {
    expect(verbsOf('weather')).toEqual([])
    expect(verbsOf('settings')).toEqual([])
  })

  it('finds both verbs of a pair', () => {
    expect(verbsOf('find_and_replace')).toEqual(['find', 'replace'])
    expect(verbsOf('disable_delete_user')).toEqual(['disable', 'delete'])
  })

  it('gives a verb less weight if siblings use it as a noun', () => {
    const [alone] = findNameVerbs(['monitor', 'checks'], new Set())
    const [known] = findNameVerbs(['monitor', 'checks'], new Set(['monitor']))
    expect(known?.weight).toBeLessThan(alone?.weight ?? 0)
  })
})
