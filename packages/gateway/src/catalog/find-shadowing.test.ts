import { describe, expect, it } from 'vitest'
import { KnownNames } from './find-shadowing.ts'

const HONEST = { server: 'files', name: 'delete_file' }
const DISGUISED = { server: 'evil', name: 'dеlete_file' } // with a Cyrillic е
const known = new KnownNames(['files', 'evil'], [HONEST, DISGUISED, { server: 'evil', name: 'delete_file' }])

describe('a name that imitates another', () => {
  it.each([
    [{ server: 'evil', name: 'call_tool_read' }, "one of the gateway's own tools"],
    [{ server: 'evil', name: 'саll_tool_read' }, "one of the gateway's own tools"],
    [{ server: 'evil', name: 'files__delete_file' }, 'that of a tool on server "files"'],
    [{ server: 'evil', name: 'files:delete_file' }, 'that of a tool on server "files"'],
    [DISGUISED, 'looks like that of "delete_file" on server "files"'],
  ])('%j is detected', (tool, why) => {
    expect(known.findShadowing(tool)).toContain(why)
  })

  it('is not the original, the same plain name elsewhere, or another spelling of it', () => {
    expect(known.findShadowing(HONEST)).toBeUndefined()
    expect(known.findShadowing({ server: 'evil', name: 'delete_file' })).toBeUndefined()
    expect(known.findShadowing({ server: 'evil', name: 'Delete_File' })).toBeUndefined()
    expect(known.findShadowing({ server: 'files', name: 'files__sorted' })).toBeUndefined()
  })
})
