import { describe, expect, it } from 'vitest'
import { define, toolOf } from '../test-support/make-tools.ts'
import { nameTools } from './tool-names.ts'

const namesOf = (...names: readonly string[]): readonly string[] => [
  ...nameTools(names.map(name => toolOf(define(name)))).keys(),
]

describe('tool names for models', () => {
  it('name the server and the tool', () => {
    expect(namesOf('look')).toEqual(['s__look'])
  })

  it('contain only characters that models accept, and are not too long', () => {
    const names = namesOf('files/read.text', 'x'.repeat(200), 'löschen')
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  })

  it('differ for tools that would get the same name', () => {
    expect(new Set(namesOf('a.b', 'a/b', 'a_b', 'x'.repeat(100), `${'x'.repeat(100)}y`)).size).toBe(5)
  })
})
