import { describe, expect, it } from 'vitest'
import { diffDefinitions } from './diff-definitions.ts'
import { fingerprint } from './fingerprint.ts'
import type { ToolDefinition } from './tool-definition.ts'

const base: ToolDefinition = {
  name: 'wipe',
  description: 'Wipes.',
  inputSchema: { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
  annotations: { readOnlyHint: false, destructiveHint: false },
}
const verdict = (after: object) => diffDefinitions(base, { ...base, ...after }).verdict

describe('diffDefinitions', () => {
  it('finds no difference between equal definitions, in any key order', () => {
    const { name, ...rest } = base
    expect(diffDefinitions(base, { ...rest, name })).toEqual({ verdict: 'same', changes: [], hints: [] })
  })

  it.each([
    ['a hint that tightens', { annotations: { readOnlyHint: false, destructiveHint: true } }, 'tightened'],
    ['a relaxing hint that is removed', { annotations: { readOnlyHint: false } }, 'tightened'],
    ['all relaxing hints removed', { annotations: undefined }, 'loosened'],
    ['a hint that loosens', { annotations: { readOnlyHint: true, destructiveHint: false } }, 'loosened'],
    [
      'one hint that tightens and one that loosens',
      { annotations: { readOnlyHint: true, destructiveHint: true } },
      'loosened',
    ],
    ['a description', { description: 'Wipes!' }, 'loosened'],
    ['a title', { title: 'x' }, 'loosened'],
    [
      'an annotation title',
      { annotations: { readOnlyHint: false, destructiveHint: false, title: 'x' } },
      'loosened',
    ],
    ['an input schema', { inputSchema: { type: 'object' } }, 'loosened'],
    ['an output schema', { outputSchema: {} }, 'loosened'],
    ['_meta', { _meta: { 'com.example/x': 1 } }, 'loosened'],
    ['a risk hint that tightens', { _meta: { 'io.hintgate/hints': { egressHint: true } } }, 'tightened'],
    ['a risk hint that relaxes', { _meta: { 'io.hintgate/hints': { egressHint: false } } }, 'loosened'],
    [
      'text instead of a boolean hint',
      { annotations: { readOnlyHint: false, destructiveHint: 'obey' } },
      'loosened',
    ],
    ['an unknown field', { 'x-new': 'obey' }, 'loosened'],
    ['a name', { name: 'wipe2' }, 'loosened'],
    [
      'operations',
      { _meta: { 'io.hintgate/metadata': { behavior: { operations: ['delete'] } } } },
      'loosened',
    ],
  ])('in %s', (_what, after, expected) => {
    expect(verdict(after)).toBe(expected)
  })

  it('shows the path, the old and the new value', () => {
    const after = { ...base, inputSchema: { type: 'object', properties: { b: {} }, required: ['a', 'b'] } }
    expect(diffDefinitions(base, after).changes).toEqual([
      { path: 'inputSchema.properties.a', kind: 'removed', before: { type: 'string' } },
      { path: 'inputSchema.properties.b', kind: 'added', after: {} },
      { path: 'inputSchema.required[1]', kind: 'added', after: 'b' },
    ])
  })

  it('reports whether each hint tightened or loosened', () => {
    const after = { ...base, annotations: { readOnlyHint: true, destructiveHint: true } }
    expect(diffDefinitions(base, after).hints).toEqual([
      { hint: 'readOnly', before: false, after: true, direction: 'loosened' },
      { hint: 'destructive', before: false, after: true, direction: 'tightened' },
    ])
  })

  it('counts a removed destructive hint as loosened', () => {
    const before = { name: 'x', annotations: { destructiveHint: true } }
    expect(diffDefinitions(before, { name: 'x' })).toMatchObject({
      verdict: 'loosened',
      hints: [{ hint: 'destructive', before: true, after: undefined, direction: 'loosened' }],
    })
  })

  it('finds a difference whenever the fingerprints differ', () => {
    for (const after of [{ annotations: {} }, { _meta: {} }, { _meta: { a: null } }, { icons: [] }]) {
      const changed = { ...base, ...after }
      expect(fingerprint(changed)).not.toBe(fingerprint(base))
      expect(diffDefinitions(base, changed).verdict).not.toBe('same')
    }
  })

  it('reports one change for a document that cannot be traversed', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)
    expect(diffDefinitions(base, { ...base, inputSchema: deep }).verdict).toBe('loosened')
  })
})
