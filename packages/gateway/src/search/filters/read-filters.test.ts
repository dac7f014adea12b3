import { describe, expect, it } from 'vitest'
import { readFilters } from './read-filters.ts'

const read = (query: string) => {
  const { words, understood } = readFilters(query, {})
  return [words, ...Object.keys(understood)]
}

describe('a query that states a hint about tools', () => {
  it.each([
    ['find read-only database tools', 'find database', 'read_only'],
    ['Find READ‑ONLY database tools.', 'Find database .', 'read_only'],
    ['read only tools for customer records', 'for customer records', 'read_only'],
    ['show me all read-only tools', '', 'read_only'],
    ['exclude destructive tools', '', 'exclude_destructive'],
    ['exclude destructive tools from results', '', 'exclude_destructive'],
    [
      'database, and exclude destructive tools from the search results',
      'database, and',
      'exclude_destructive',
    ],
    [
      'tools to clean up a table, excluding any destructive ones',
      'tools to clean up a table,',
      'exclude_destructive',
    ],
    ['drop a table without destructive tools', 'drop a table', 'exclude_destructive'],
    ['database tools, exclude destructive', 'database tools,', 'exclude_destructive'],
    ['I want to exclude destructive tools for git', 'I want to for git', 'exclude_destructive'],
    ['non-destructive git tools', 'git', 'exclude_destructive'],
    ['git tools that are not destructive', 'git tools', 'exclude_destructive'],
    ["git tools that aren't destructive", 'git tools', 'exclude_destructive'],
    ['git tools but not destructive', 'git tools but', 'exclude_destructive'],
    ['non destructive git tools', 'git', 'exclude_destructive'],
    ['git tools that are not open-world', 'git tools', 'exclude_open_world'],
    ['git tools that are not open world', 'git tools', 'exclude_open_world'],
    ['non-open-world git tools', 'git', 'exclude_open_world'],
    ['payment tools that are idempotent', 'payment tools', 'idempotent'],
    ['mail tools (read-only)', 'mail tools ( )', 'read_only'],
    ['closed-world file tools', 'file', 'exclude_open_world'],
    ['no open-world tools, summarise notes', ', summarise notes', 'exclude_open_world'],
    ['read-only', '', 'read_only'],
    ['"show me the read-only database tools"', '"show me the database "', 'read_only'],
  ])('has a filter: %s', (query, words, filter) => {
    expect(read(query)).toEqual([words, filter])
  })

  it('can have several filters', () => {
    expect(read('read-only and idempotent crm tools')).toEqual(['crm', 'read_only', 'idempotent'])
    expect(read('read-only crm tools that are not open-world')).toEqual([
      'crm',
      'read_only',
      'exclude_open_world',
    ])
    expect(read('crm, exclude destructive and open-world tools')).toEqual([
      'crm,',
      'exclude_destructive',
      'exclude_open_world',
    ])
    expect(read('idempotent crm tools, excluding destructive ones')).toEqual([
      'crm ,',
      'idempotent',
      'exclude_destructive',
    ])
  })

  it('names the words of each filter', () => {
    expect(readFilters('please exclude the destructive tools from my results', {}).understood).toEqual({
      exclude_destructive: 'exclude the destructive tools from my results',
    })
  })
})

describe('a query that states a hint about something else', () => {
  it.each([
    'read a file',
    'find destructive-test reports',
    'find destructive test reports',
    'destructive testing tools',
    'exclude destructive testing tools',
    'set a file to read-only',
    'create a read-only token',
    'grant read-only access to tools',
    'read-only access tools',
    'read-only mode for the tools',
    'read only the first lines of a file',
    'tool to read only unread mail tools',
    'make a tool idempotent',
    'find destructive tools',
    'delete tools',
    'not read-only database tools',
    'exclude read-only tools',
    'non-idempotent tools',
    'tools that are not idempotent',
    'not open for the world tools',
    'read-only or destructive tools',
    'read-only or idempotent tools',
    "don't exclude destructive tools",
    'a tool to exclude destructive tools from a plan',
    'without destroying tools',
    'list migrations without destructive changes',
    'idempotency key tools',
    'find "read-only database tools" in the wiki',
    'search documents for `exclude destructive tools` and count them',
    'read_only_tools',
    '"read-only" tools',
    '"read-only"',
    `${'notes '.repeat(60)}about read-only tools`,
  ])('has none: %s', query => {
    expect(readFilters(query, {})).toEqual({ words: query, understood: {} })
  })

  it('has no filter that the caller switched off', () => {
    const query = 'find read-only database tools'
    expect(readFilters(query, { read_only: false })).toEqual({ words: query, understood: {} })
    expect(readFilters(query, { read_only: true }).words).toBe('find database')
  })
})
