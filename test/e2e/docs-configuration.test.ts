import { describe, expect, it } from 'vitest'
import { checkConfigText } from '../../packages/gateway/src/config/load-config.ts'
import { readPage } from '../support/doc-blocks.ts'

interface Row {
  readonly path: readonly string[]
  readonly type: string
  readonly fallback: string
}

/** The rows of docs/configuration.md with a default. */
const rows: readonly Row[] = readPage('docs/configuration.md')
  .split(/^## /m)
  .slice(1)
  .flatMap(section => {
    const title = /^`(.+)`/.exec(section)?.[1]
    const lines = [...section.matchAll(/^\| `(.+?)` \| (.*?) \| `(.+?)` \|/gm)]
    return lines.map(([, key = '', type = '', fallback = '']) => ({
      path: [...(title === undefined ? [] : title.split('.')), key],
      type,
      fallback,
    }))
  })

type Tree = { [key: string]: Tree | string | number | boolean }

function put(tree: Tree, [first = '', ...rest]: readonly string[], value: string | number | boolean): void {
  if (rest.length === 0) tree[first] = value
  else {
    const child = tree[first]
    const below: Tree = typeof child === 'object' ? child : {}
    tree[first] = below
    put(below, rest, value)
  }
}

function readValue({ type, fallback }: Row): string | number | boolean {
  if (type === 'boolean') return fallback === 'true'
  return type === 'integer' || type === 'number' ? Number(fallback) : fallback
}

function load(config: Tree) {
  const options = { env: {}, cwd: '/tmp', homeDir: '/home/ada', flags: {} }
  return checkConfigText(JSON.stringify(config), '/tmp/hintgate.json', options)
}

/** The members that a server needs. */
const server = (): Tree => ({ NAME: { command: 'files' } })

describe('the configuration reference', () => {
  // An empty sandbox object switches the sandbox on, and issuers and toolsets need more than defaults.
  const plain = rows.filter(({ path }) => !/sandbox|\[\]|^toolsets/.test(path.join('.')))

  it('documents the defaults', () => expect(plain.length).toBeGreaterThan(50))

  it('documents the real defaults: a config that sets all of them equals an empty one', () => {
    const spelt: Tree = { mcpServers: server() }
    for (const row of plain) put(spelt, row.path, readValue(row))
    const loaded = load(spelt)
    expect(loaded.problems).toEqual([])
    const { serverRules: _, ...config } = loaded.config ?? {}
    const { serverRules: __, ...expected } = load({ mcpServers: server() }).config ?? {}
    expect(config).toEqual(expected)
  })
})
