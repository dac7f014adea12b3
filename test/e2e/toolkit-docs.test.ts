import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { readDocModules } from '../support/doc-modules.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = 'docs/toolkit/reference.md'
const text = readFileSync(join(ROOT, PAGE), 'utf8')

const modules = readDocModules([PAGE], {
  packages: {
    '@hintgate/toolkit': 'packages/toolkit',
    '@modelcontextprotocol/server': 'node_modules/@modelcontextprotocol/server',
    zod: 'node_modules/zod',
    '@types/node': 'node_modules/@types/node',
  },
})
let complaints: string

beforeAll(async () => {
  complaints = await modules.compile()
})
afterAll(cleanUp)

describe('docs/toolkit/reference.md', () => {
  it('has code blocks that type-check', () => {
    expect(complaints).toBe('')
    expect(modules.names).toHaveLength(10)
  })

  it.each(modules.names)('shows the right values in %s', async name => {
    expect(await modules.run(name)).toBe('')
  })

  it('has only links to existing files', () => {
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path)
    expect(links.filter(link => !existsSync(join(ROOT, dirname(PAGE), link)))).toEqual([])
    expect(text.match(/\/\/ =>/g)?.length).toBeGreaterThan(15)
  })
})
