import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assessTool, validateMetadata } from '@hintgate/metadata'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { readDocModules } from '../support/doc-modules.ts'
import { SDK_V2_AUTO } from '../support/sdk-clients.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGES = ['docs/toolkit/five-minutes.md', 'docs/which-hint.md', 'docs/toolkit/coming-from.md']
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Gram's package is not installed here; this is the part of its shape that its page about annotations shows. */
const GRAM = {
  'package.json': '{"type":"module","types":"index.d.ts","main":"index.js"}',
  'index.js': 'export class Gram { tool() { return this } }',
  'index.d.ts': `
    type Shape = Record<string, { readonly _zod: { readonly output: unknown } }>
    type Values<S extends Shape> = { [K in keyof S]: S[K]['_zod']['output'] }
    interface Hints {
      title?: string
      readOnlyHint?: boolean
      destructiveHint?: boolean
      idempotentHint?: boolean
      openWorldHint?: boolean
    }
    export class Gram<E extends Shape = {}> {
      constructor(options?: { envSchema?: E })
      tool<S extends Shape>(tool: {
        name: string
        description?: string
        inputSchema: S
        annotations?: Hints
        execute(ctx: { json(data: unknown): Response; env: Values<E> }, input: Values<S>): Promise<Response>
      }): Gram<E>
    }`,
}

const modules = readDocModules(PAGES, {
  packages: {
    '@hintgate/toolkit': 'packages/toolkit',
    '@modelcontextprotocol/server': 'node_modules/@modelcontextprotocol/server',
    zod: 'node_modules/zod',
    '@types/node': 'node_modules/@types/node',
    '@gram-ai/functions': GRAM,
  },
})
let complaints: string

beforeAll(async () => {
  complaints = await modules.compile()
})
afterAll(cleanUp)

describe('the pages for authors', () => {
  it('have code blocks that type-check', () => {
    expect(complaints).toBe('')
    expect(modules.names.length).toBeGreaterThanOrEqual(14)
  })

  it.each(modules.names)('show the right values in %s', async name => {
    expect(await modules.run(name)).toBe('')
  })

  it('assert values', () => {
    const claims = PAGES.flatMap(page => read(page).match(/\/\/ =>/g) ?? [])
    expect(claims.length).toBeGreaterThan(15)
  })

  it.each([...PAGES, 'docs/lint-in-ci.md', 'examples/README.md'])('have no broken links: %s', page => {
    const links = [...read(page).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = '']) => path)
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) expect(existsSync(join(ROOT, dirname(page), link)), link).toBe(true)
  })
})

describe('the page for users of the plain SDK', () => {
  /** The definitions that a client gets from the server that a block starts. */
  async function look(name: string): Promise<object> {
    const client = await SDK_V2_AUTO.create({ capabilities: {} })
    await client.connect(await SDK_V2_AUTO.stdio(process.execPath, [modules.file(name)]))
    const { tools } = await client.listTools()
    const { content, structuredContent } = await client.callTool({
      name: 'cancel_room',
      arguments: { room: 'blue' },
    })
    return { tools: tools.map(tool => [tool.name, tool.annotations]), content, structuredContent }
  }

  it('has two versions of the same server', async () => {
    const [before, after] = [await look('coming-from-0'), await look('coming-from-1')]
    expect(before).toMatchObject({ structuredContent: { cancelled: true } })
    expect(after).toEqual({
      ...before,
      // The toolkit sends a title in both places.
      tools: [['cancel_room', { ...annotationsOf(before), title: 'Cancel room' }]],
    })
  })

  function annotationsOf(seen: object): object {
    const { tools } = seen as { tools: [string, object][] }
    return tools[0]?.[1] ?? {}
  }
})

describe('the page about choosing hints', () => {
  const page = read('docs/which-hint.md')
  const rows = [
    ...page.matchAll(/^\| `(\w+)`.*? \| (yes|no) \| (yes|no) \| (yes|no) \| (yes|no) \| `(\w+)` \|$/gm),
  ]

  it('has worked examples', () => {
    expect(rows.length).toBeGreaterThanOrEqual(10)
  })

  it.each(rows.map(([, name = '', ...cells]) => [name, ...cells] as const))(
    'gives the right hints for %s',
    (name, readOnly, destructive, idempotent, openWorld, variant) => {
      const hints = {
        readOnly: readOnly === 'yes',
        destructive: destructive === 'yes',
        idempotent: idempotent === 'yes',
        openWorld: openWorld === 'yes',
      }
      expect(validateMetadata({ behavior: hints }, { production: true })).toEqual([])
      const annotations = Object.fromEntries(
        Object.entries(hints).map(([hint, value]) => [`${hint}Hint`, value]),
      )
      expect(assessTool({ name, annotations }, { vouched: true }).variant).toBe(variant)
    },
  )

  it('shows the decision tree as a picture with the same content', () => {
    const picture = read('docs/images/which-hint.svg')
    expect(page).toContain('](images/which-hint.svg)')
    for (const answer of [
      'readOnly: true',
      'readOnly: false',
      'destructive: true',
      'destructive: false',
      'idempotent: true',
      'idempotent: false',
      'openWorld: true',
      'openWorld: false',
    ])
      expect(picture).toContain(answer)
    expect(picture).toMatch(/<title[^>]*>.+<\/title>/)
  })
})
