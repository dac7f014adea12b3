import { describe, expect, it } from 'vitest'
import { MAX_NAME_LENGTH, splitWords } from './split-words.ts'

describe('splitting a name into words', () => {
  it.each([
    ['delete_file', ['delete', 'file']],
    ['deleteFile', ['delete', 'file']],
    ['delete-file', ['delete', 'file']],
    ['files.delete', ['files', 'delete']],
    ['mcp__x__list', ['mcp', 'x', 'list']],
    ['getHTTPUrl', ['get', 'http', 'url']],
    ['listVMs', ['list', 'vms']],
    ['s3GetObject', ['s', '3', 'get', 'object']],
    ['API-post-search', ['api', 'post', 'search']],
    ['', []],
    ['---', []],
  ])('%s', (name, words) => {
    expect(splitWords(name)).toEqual(words)
  })

  it('joins two words that are one verb', () => {
    expect(splitWords('roll_back_deploy')).toEqual(['rollback', 'deploy'])
    expect(splitWords('createOrUpdateUser')).toEqual(['upsert', 'user'])
  })

  it("reads at most a name's maximum length", () => {
    expect(splitWords('a'.repeat(10_000_000)).join('')).toHaveLength(MAX_NAME_LENGTH)
  })
})
