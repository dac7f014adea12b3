import { describe, expect, it } from 'vitest'
import { toCatalogTool } from '../catalog/to-catalog-tool.ts'
import type { Selection } from '../config/config.ts'
import { isSelected, isSelectedByName, mayContainServer } from './select-tools.ts'

const toolOf = (server: string, name: string, { more = {}, isVouched = true } = {}) =>
  toCatalogTool(
    server,
    { name, ...more },
    { fingerprint: '', siblings: [], isVouched, profile: 'gateway', override: undefined },
  )

const READ = { annotations: { readOnlyHint: true } }
const METADATA = {
  _meta: { 'io.hintgate/metadata': { classification: { serviceDomains: ['email'] }, tags: ['billing'] } },
}
const setOf = (select: readonly Selection[], except: readonly string[] = []) => ({ select, except })

describe('isSelected()', () => {
  it.each<[Selection, string, string, boolean]>([
    [{}, 'crm', 'get', true],
    [{ tools: ['crm:get_*'] }, 'crm', 'get_contact', true],
    [{ tools: ['crm:get_*'] }, 'files', 'get_contact', false],
    [{ tools: ['get_*'] }, 'files', 'get_contact', true],
    [{ servers: ['crm'], tools: ['get'] }, 'files', 'get', false],
    [{ servers: ['c*'] }, 'crm', 'get', true],
    [{ tools: ['c*t'] }, 'crm', 'get', false],
  ])('%j with %s:%s: %s', (choice, server, name, expected) => {
    expect(isSelected(setOf([choice]), toolOf(server, name))).toBe(expected)
  })

  it('takes a tool that any entry matches, unless it is excepted', () => {
    const set = setOf([{ tools: ['crm:a'] }, { servers: ['files'] }], ['files:secret*'])
    expect(isSelected(set, toolOf('crm', 'a'))).toBe(true)
    expect(isSelected(set, toolOf('files', 'b'))).toBe(true)
    expect(isSelected(set, toolOf('files', 'secret_b'))).toBe(false)
    expect(isSelected(set, toolOf('crm', 'b'))).toBe(false)
  })

  it('does not select by a hint that is not vouched for', () => {
    const set = setOf([{ hints: { readOnly: true } }])
    expect(isSelected(set, toolOf('crm', 'ping', { more: READ }))).toBe(true)
    expect(isSelected(set, toolOf('crm', 'ping', { more: READ, isVouched: false }))).toBe(false)
  })

  it('selects by domain and tag', () => {
    const tool = toolOf('crm', 'x', { more: METADATA })
    expect(isSelected(setOf([{ domains: ['email'] }]), tool)).toBe(true)
    expect(isSelected(setOf([{ tags: ['billing'], domains: ['email'] }]), tool)).toBe(true)
    expect(isSelected(setOf([{ tags: ['other'] }]), tool)).toBe(false)
    expect(isSelected(setOf([{ domains: ['email'] }]), toolOf('crm', 'x'))).toBe(false)
  })

  it.each<Selection>([{ domains: ['email'] }, { tags: ['billing'] }])(
    'does not select by %j in a definition that is not vouched for',
    choice => {
      const claims = toolOf('crm', 'x', { more: METADATA, isVouched: false })
      const named = toolOf('mail', 'send_email', { isVouched: false })
      expect([claims, named].map(tool => isSelected(setOf([choice]), tool))).toEqual([false, false])
    },
  )
})

describe('isSelectedByName()', () => {
  it('ignores entries that depend on the definition', () => {
    expect(isSelectedByName(setOf([{ hints: { readOnly: true } }]), 'crm', 'get')).toBe(false)
    expect(isSelectedByName(setOf([{ tools: ['crm:*'] }]), 'crm', 'get')).toBe(true)
    expect(isSelectedByName(setOf([{ tools: ['crm:*'] }], ['crm:get']), 'crm', 'get')).toBe(false)
  })
})

describe('mayContainServer()', () => {
  it('is true only for servers that an entry can match', () => {
    const set = setOf([{ tools: ['crm:*'] }, { servers: ['files'], tools: ['read'] }])
    expect(['crm', 'files', 'other'].map(server => mayContainServer(set, server))).toEqual([
      true,
      true,
      false,
    ])
  })
})
