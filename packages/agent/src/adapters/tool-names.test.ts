import { describe, expect, it } from 'vitest'
import { define, toolOf } from '../test-support/make-tools.ts'
import { nameTools } from './tool-names.ts'

const namesOf = (...names: readonly string[]): readonly string[] => [
  ...nameTools(names.map(name => toolOf(define(name)))).keys(),
]

describe('the names that models see', () => {
  it('say which server and which tool', () => {
    expect(namesOf('look')).toEqual(['s__look'])
  })

  it('have nothing in them that a model does not take, and are not too long', () => {
    const names = namesOf('files/read.text', 'x'.repeat(200), 'löschen')
    for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
  })

  it('stay apart where they would be the same', () => {
    expect(new Set(namesOf('a.b', 'a/b', 'a_b', 'x'.repeat(100), `${'x'.repeat(100)}y`)).size).toBe(5)
  })
})
