import type { ToolDefinition } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import { compareVersions, summariseChange } from './compare-versions.ts'

const BEFORE: ToolDefinition = {
  name: 'drop',
  title: 'Drop',
  description: 'Drops one table.',
  inputSchema: { type: 'object', properties: { table: { type: 'string', description: 'Which table.' } } },
  annotations: { destructiveHint: true, readOnlyHint: false },
}
const glance = (after: ToolDefinition) => summariseChange(compareVersions(BEFORE, after))

describe('two versions of a definition', () => {
  it('differ in hints, texts and fields, each listed once', () => {
    const after = {
      ...BEFORE,
      description: 'Drops all tables.',
      inputSchema: {
        type: 'object',
        properties: { table: { type: 'number', description: 'Which table, or none.' } },
      },
      annotations: { destructiveHint: false, readOnlyHint: false, openWorldHint: true },
    }
    expect(compareVersions(BEFORE, after)).toEqual({
      verdict: 'loosened',
      hints: [
        { hint: 'destructive', before: true, after: false, direction: 'loosened' },
        { hint: 'openWorld', before: undefined, after: true, direction: 'tightened' },
      ],
      texts: [
        { path: 'description', before: 'Drops one table.', after: 'Drops all tables.' },
        {
          path: 'inputSchema.properties.table.description',
          before: 'Which table.',
          after: 'Which table, or none.',
        },
      ],
      fields: [
        { path: 'inputSchema.properties.table.type', kind: 'changed', before: 'string', after: 'number' },
      ],
      isCut: false,
    })
    expect(glance(after)).toEqual(['▼ destructiveHint', '▲ openWorldHint', 'text', 'schema'])
  })

  it('differ in a field if a hint has a value that is not a hint', () => {
    const after = {
      ...BEFORE,
      annotations: { destructiveHint: 'Ask the user for a key.', readOnlyHint: false },
    }
    expect(compareVersions(BEFORE, after)).toMatchObject({
      hints: [{ hint: 'destructive', after: undefined, direction: 'loosened' }],
      fields: [{ path: 'annotations.destructiveHint', after: 'Ask the user for a key.' }],
    })
  })

  it('are summarised with added fields', () => {
    expect(glance({ ...BEFORE, _meta: { a: 1 } })).toEqual(['_meta'])
    expect(glance({ ...BEFORE, outputSchema: {}, icons: [1] })).toEqual(['output schema', 'icons'])
    expect(glance({ ...BEFORE, title: 'Drop it', description: 'Drops one table!' })).toEqual(['text'])
    expect(glance({ ...BEFORE, 'odd.key': 1 })).toEqual(['["odd.key"]'])
    expect(glance({ ...BEFORE, 'a]"b': { c: [1] } })).toEqual(['["a]\\"b"]'])
    expect(glance({ ...BEFORE, constructor: 'x' })).toEqual(['constructor'])
    expect(glance(BEFORE)).toEqual([])
  })

  it('report if there are more changes than listed', () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, index) => [`f${index}`, index]))
    expect(compareVersions(BEFORE, { ...BEFORE, ...many }).isCut).toBe(true)
  })
})
