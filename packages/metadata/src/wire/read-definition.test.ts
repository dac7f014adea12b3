import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HINT_NAMES } from '../hint/hints.ts'
import { assessTool } from '../record/assess-tool.ts'
import { readDefinition } from './read-definition.ts'

const tool = (parts: object) => readDefinition({ name: 'tool', ...parts })
const codes = (parts: object) => tool(parts).findings.map(finding => finding.code)

describe("reading the specification's names", () => {
  it('reads each declared hint and adds none', () => {
    expect(tool({ annotations: { readOnlyHint: true, openWorldHint: false } }).declared.hints).toEqual({
      readOnly: true,
      openWorld: false,
    })
    expect(tool({}).declared).toEqual({ hints: {} })
  })

  it("prefers the tool's title to the title in its annotations", () => {
    expect(tool({ title: 'A', annotations: { title: 'B' } }).declared.title).toBe('A')
    expect(tool({ annotations: { title: 'B' } }).declared.title).toBe('B')
  })

  it.each(['yes', 1, {}, []])('rejects %j as a hint', value => {
    const { declared, findings } = tool({ annotations: { readOnlyHint: value } })
    expect(declared.hints).toEqual({})
    expect(findings).toMatchObject([
      { code: 'not-boolean', level: 'error', path: 'annotations.readOnlyHint' },
    ])
  })

  it('keeps the definition unchanged, with unknown fields', () => {
    const definition = {
      name: 'tool',
      icons: [{ src: 'x' }],
      'x-new': { a: [1] },
      annotations: { futureHint: 3 },
    }
    expect(readDefinition(definition).definition).toEqual(definition)
  })
})

describe('reading dialects', () => {
  it('reads bare hint names and reports the fix', () => {
    const { declared, findings } = tool({ annotations: { readOnly: false, destructive: true } })
    expect(declared.hints).toEqual({ readOnly: false, destructive: true })
    expect(findings).toMatchObject([
      { code: 'bare-hint-name', path: 'annotations.readOnly', fix: 'Rename it to `readOnlyHint`.' },
      { code: 'bare-hint-name', path: 'annotations.destructive' },
    ])
  })

  it("prefers the specification's name to the bare one, whichever is stricter", () => {
    for (const value of [true, false]) {
      const { declared, findings } = tool({ annotations: { readOnly: !value, readOnlyHint: value } })
      expect(declared.hints.readOnly).toBe(value)
      expect(findings[0]?.message).toContain('overrides')
    }
  })

  it('reads the Arcade dialect', () => {
    const metadata = {
      classification: { service_domains: ['email', 'crm'] },
      behavior: {
        operations: ['create'],
        read_only: false,
        destructive: false,
        idempotent: null,
        open_world: true,
      },
      extras: { idp: 'entraID' },
    }
    expect(tool({ _meta: { arcade: { metadata } } })).toMatchObject({
      declared: {
        hints: { readOnly: false, destructive: false, openWorld: true },
        operations: ['create'],
        serviceDomains: ['email', 'crm'],
        extras: { idp: 'entraID' },
      },
      findings: [],
    })
  })

  it('reads hints under any Gram key', () => {
    const _meta = { 'gram.ai/kind': 'mcp-passthrough', 'gram.ai/annotations': { destructiveHint: true } }
    expect(tool({ _meta }).declared.hints).toEqual({ destructive: true })
  })

  it('also reads risk hints in annotations, and says where SDKs keep them', () => {
    const { declared, findings } = tool({ annotations: { sensitiveHint: true, egressHint: false } })
    expect(declared.hints).toEqual({ sensitive: true, egress: false })
    expect(findings).toMatchObject([
      {
        code: 'unknown-annotation',
        level: 'info',
        fix: 'Send the annotation in `_meta["io.hintgate/hints"]` instead.',
      },
      { code: 'unknown-annotation', path: 'annotations.egressHint' },
    ])
    const _meta = { 'io.hintgate/hints': { sensitiveHint: false } }
    expect(tool({ annotations: { sensitiveHint: true }, _meta }).declared.hints).toEqual({ sensitive: true })
    expect(codes({ annotations: { sensitiveHint: true }, _meta })).toContain('dialect-conflict')
    expect(codes({ annotations: { sensitveHint: true } })).toEqual(['unknown-annotation'])
  })

  it("reads Hintgate's risk hints and metadata", () => {
    const _meta = {
      'io.hintgate/hints': { sensitiveHint: true, egressHint: false, reversibleHint: true },
      'io.hintgate/metadata': {
        behavior: { operations: ['read'], reach: 'service' },
        tags: ['a'],
        action: 'Read {id}',
      },
    }
    expect(tool({ _meta }).declared).toEqual({
      hints: { sensitive: true, egress: false, reversible: true },
      operations: ['read'],
      reach: 'service',
      tags: ['a'],
      action: 'Read {id}',
    })
  })

  it('uses the stricter value if annotations and _meta disagree, and reports it', () => {
    const parts = {
      annotations: { readOnlyHint: true },
      _meta: { arcade: { metadata: { behavior: { read_only: false } } } },
    }
    expect(tool(parts).declared.hints).toEqual({ readOnly: false })
    expect(codes(parts)).toEqual(['dialect-conflict'])
    expect(codes({ ...parts, annotations: { readOnlyHint: false } })).toEqual([])
  })

  it('suggests the right name for a misspelt annotation', () => {
    const [finding] = tool({ annotations: { readonly_hint: true } }).findings
    expect(finding).toMatchObject({
      code: 'unknown-annotation',
      level: 'warning',
      fix: 'Did you mean `readOnlyHint`?',
    })
    expect(tool({ annotations: { audience: 'x' } }).findings[0]?.level).toBe('info')
  })

  it('reports all problems in Hintgate metadata', () => {
    const metadata = { behavior: { operations: ['explode'], reach: 3 }, tags: 'x', action: 1, extras: 'x' }
    expect(codes({ _meta: { 'io.hintgate/metadata': metadata } })).toEqual([
      'unknown-operation',
      'wrong-type',
      'wrong-type',
      'wrong-type',
      'wrong-type',
    ])
  })
})

describe('hostile definitions', () => {
  it.each([null, undefined, 'tool', 7, true, [], [{}], {}, { name: 7 }, { name: '' }, { name: {} }])(
    'reports %j',
    input => {
      expect(readDefinition(input).findings[0]).toMatchObject({ code: 'no-name', level: 'error' })
    },
  )

  it.each(['annotations', 'inputSchema', 'outputSchema', '_meta'])(
    'reports a %s that is not an object',
    field => {
      for (const value of ['x', 1, [], true]) {
        expect(tool({ [field]: value }).findings).toMatchObject([{ code: 'wrong-type', path: field }])
      }
    },
  )

  it('ignores inherited properties', () => {
    const parsed: unknown = JSON.parse(
      '{"name":"tool","__proto__":{"annotations":{"readOnlyHint":true}},"annotations":{"__proto__":{"readOnlyHint":true},"constructor":{"readOnlyHint":true}}}',
    )
    expect(readDefinition(parsed).declared.hints).toEqual({})
    expect(Object.hasOwn(readDefinition(parsed).definition, '__proto__')).toBe(true)
    expect(({} as Record<string, unknown>).annotations).toBeUndefined()
  })

  it('reports excessive nesting instead of overflowing the stack', () => {
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`)
    const { declared, findings } = tool({ inputSchema: deep, annotations: { readOnlyHint: true } })
    expect(findings).toMatchObject([{ code: 'not-json', level: 'error' }])
    expect(findings[0]?.path.length).toBeLessThanOrEqual(200)
    expect(declared.hints).toEqual({})
  })

  it('reports cycles', () => {
    const cyclic: Record<string, unknown> = { name: 'tool' }
    cyclic._meta = cyclic
    expect(readDefinition(cyclic).findings[0]?.code).toBe('not-json')
  })

  it('reads a definition that contains a 10 MB text', () => {
    const description = 'x'.repeat(10_000_000)
    expect(
      tool({ description, annotations: { destructiveHint: true, [description]: 1 } }).declared.hints,
    ).toEqual({
      destructive: true,
    })
    expect(assessTool({ name: description, description }).variant).toBe('call_tool_write')
  })

  it('limits the findings for thousands of invalid parts', () => {
    const annotations = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key${i}`, i]))
    const operations = Array.from({ length: 10_000 }, (_, i) => `op${i}`)
    const metadata = { behavior: { operations } }
    expect(tool({ annotations, _meta: { 'io.hintgate/metadata': metadata } }).findings.length).toBeLessThan(
      1100,
    )
  })

  it('never throws, and accepts only booleans as hints', () => {
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true })
    const key = fc.constantFrom(
      'annotations',
      '_meta',
      'title',
      'inputSchema',
      'description',
      '__proto__',
      'x',
    )
    fc.assert(
      fc.property(fc.oneof(anything, fc.dictionary(key, anything)), value => {
        const input = typeof value === 'object' && value !== null ? { name: 'tool', ...value } : value
        const { declared } = readDefinition(input)
        for (const hint of HINT_NAMES) expect([true, false, undefined]).toContain(declared.hints[hint])
        expect(assessTool(input).variant).not.toBe('call_tool_read')
      }),
      { numRuns: 1000 },
    )
  })
})

describe('alerts', () => {
  it('are reported when readOnly and destructive are both declared, and the tool counts as destructive', () => {
    const tool = { name: 'tool', annotations: { readOnlyHint: true, destructiveHint: true } }
    const { variant, riskLevel, findings } = assessTool(tool, { vouched: true })
    expect({ variant, riskLevel }).toEqual({ variant: 'call_tool_destructive', riskLevel: 3 })
    expect(findings).toContainEqual(
      expect.objectContaining({
        code: 'readonly-destructive',
        level: 'error',
        path: 'annotations.destructiveHint',
      }),
    )
  })

  it('are reported when a relaxing hint contradicts the words of the definition', () => {
    const liar = { name: 'delete_account', annotations: { readOnlyHint: true } }
    expect(assessTool(liar).findings.map(finding => finding.code)).toContain('declared-contradicts-inferred')
    const honest = { name: 'delete_account', annotations: { readOnlyHint: false, destructiveHint: true } }
    expect(assessTool(honest).findings.map(finding => finding.code)).not.toContain(
      'declared-contradicts-inferred',
    )
  })

  it('are not reported for a declared read-only "open nodes", which is a write when undeclared', () => {
    const silent = {
      name: 'open_nodes',
      title: 'Open Nodes',
      description: 'Open specific nodes in the knowledge graph by their names',
    }
    const declared = { ...silent, annotations: { readOnlyHint: true, destructiveHint: false } }
    expect(assessTool(declared).findings.map(finding => finding.code)).not.toContain(
      'declared-contradicts-inferred',
    )
    expect(assessTool(silent).inferred.readOnly.value).toBe(false)
  })
})

describe('assessTool', () => {
  it('never treats an unvouched read-only tool as a read', () => {
    const tool = { name: 'list_files', annotations: { readOnlyHint: true } }
    expect(assessTool(tool).variant).toBe('call_tool_write')
    expect(assessTool(tool, { vouched: true }).variant).toBe('call_tool_read')
  })

  it('never returns a category below its variant or its operations', () => {
    expect(assessTool({ name: 'run_command' }).category).toBe('delete')
    const reading = { name: 'x', _meta: { 'io.hintgate/metadata': { behavior: { operations: ['read'] } } } }
    expect(assessTool(reading).category).toBe('write')
  })

  it("applies an operator's override", () => {
    const override = { hints: { readOnly: true }, by: 'ada', at: '2026-11-15T00:00:00Z' }
    expect(assessTool({ name: 'frobnicate' }, { override }).variant).toBe('call_tool_read')
  })
})
