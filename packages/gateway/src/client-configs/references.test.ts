// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what these tests are about
import { describe, expect, it } from 'vitest'
import type { ReferenceStyle } from './clients.ts'
import { readPieces } from './read-server.ts'

const AROUND = { homeDir: '/home/ada', project: '/srv/app' }
const read = (text: string, style: ReferenceStyle) =>
  readPieces(text, style, AROUND).map(piece => (piece.kind === 'variable' ? { ...piece } : piece.text))
const variable = (name: string) => ({ kind: 'variable', name })

describe('a reference in a client’s file', () => {
  it("is read in the client's syntax", () => {
    expect(read('Bearer ${A}', 'shell')).toEqual(['Bearer ', variable('A')])
    expect(read('${A:-b c}', 'shell')).toEqual([{ ...variable('A'), fallback: 'b c' }])
    expect(read('$A/${B}', 'dollar')).toEqual([variable('A'), '/', variable('B')])
    expect(read('x ${env:A} y', 'editor')).toEqual(['x ', variable('A'), ' y'])
    expect(read('${workspaceFolder}${/}x', 'editor')).toEqual(['/srv/app', '/', 'x'])
    expect(read('${userHome}', 'editor')).toEqual(['/home/ada'])
  })

  it('is plain text for a client without references, and foreign if only the client can resolve it', () => {
    expect(read('${A} $B', 'none')).toEqual(['${A} $B'])
    expect(readPieces('${input:key}', 'editor', AROUND)).toEqual([{ kind: 'foreign', text: '${input:key}' }])
    expect(readPieces('${workspaceFolder}', 'editor', { homeDir: '/' })[0]?.kind).toBe('foreign')
    expect(read('$5 and ${1}', 'dollar')).toEqual(['$5 and ${1}'])
  })
})
