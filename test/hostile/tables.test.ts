import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const place = (path: string): string => fileURLToPath(new URL(`../../${path}`, import.meta.url))

/** The tests that a document names: `hostile/spawning`, `e2e/confirm`. */
function namedIn(document: string): string[] {
  const text = readFileSync(place(document), 'utf8')
  return [...text.matchAll(/`((?:hostile|e2e|faults|fuzz|soak)\/[\w-]+)`/g)].map(([, name = '']) => name)
}

describe('the tables of attacks', () => {
  it.each(['SECURITY.md', 'test/hostile/README.md'])('name only existing tests: %s', document => {
    const named = namedIn(document)
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(name => !existsSync(place(`test/${name}.test.ts`)))).toEqual([])
  })
  it('name every hostile test', () => {
    const here = readdirSync(place('test/hostile')).filter(name => name.endsWith('.test.ts'))
    const named = new Set(namedIn('test/hostile/README.md'))
    const unnamed = here
      .map(name => `hostile/${name.replace('.test.ts', '')}`)
      .filter(name => !named.has(name))
    expect(unnamed).toEqual(['hostile/tables'])
  })
})
