import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** A fenced block of a page. */
export interface DocBlock {
  readonly page: string
  readonly line: number
  readonly language: string
  readonly text: string
  /** The reason why it is not checked, from `<!-- not checked: … -->` just before it. */
  readonly exempt?: string
}

/** Every page of the documentation, from the root. */
export function listPages(): readonly string[] {
  const below = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
  const pages = below.filter(name => name.endsWith('.md')).map(name => `docs/${name.replaceAll('\\', '/')}`)
  return ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'deploy/README.md', 'examples/README.md', ...pages]
}

export function readPage(page: string): string {
  return readFileSync(join(ROOT, page), 'utf8')
}

export function readBlocks(page: string): readonly DocBlock[] {
  const text = readPage(page)
  const fences = /^(?:<!-- not checked: (.+?) -->\n+)?^```(\w*)\n([\s\S]*?)^```$/gm
  return [...text.matchAll(fences)].map(({ 1: exempt, 2: language = '', 3: block = '', index }) => ({
    page,
    line: text.slice(0, index).split('\n').length,
    language,
    text: block,
    ...(exempt === undefined ? {} : { exempt }),
  }))
}
