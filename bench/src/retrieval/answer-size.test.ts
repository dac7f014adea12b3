import { describe, expect, it } from 'vitest'
import { measureAnswers } from './answer-size.ts'

const TOOL = {
  id: 'files:read',
  server: 'files',
  name: 'read',
  title: '',
  description: 'Reads a file. It must exist.',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  domains: [],
  tags: [],
}

describe('the size of answers', () => {
  it('finds the catalog size from which a search costs less than a list', () => {
    const set = { name: 's', tools: [TOOL], queries: [{ text: 'read', relevant: new Set(['files:read']) }] }
    const sizes = measureAnswers(set, () => ['files:read'])
    expect(sizes.compact).toBeLessThan(sizes.full)
    expect(sizes.breakEvenCompact).toBe(Math.ceil((1200 + sizes.compact) / sizes.listedTool))
  })
})
