import { readDefinition, toRecord, validateMetadata } from '@hintgate/metadata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { anyMetadata } from '../../../metadata/src/test-support/arbitraries.ts'
import { type Context, Toolkit, ToolkitError, type ToolkitFinding } from '../index.ts'

const x = { description: 'x', execute: (ctx: Context<unknown>) => ctx.text('') }

/** Passes a tool that TypeScript would reject, as can happen in JavaScript or with configuration files. */
function untyped(tool: object): never {
  return tool as never
}

function problemsOf(start: () => unknown): readonly ToolkitFinding[] {
  try {
    start()
  } catch (error) {
    if (error instanceof ToolkitError) return error.findings
    throw error
  }
  return []
}

const codesOf = (tool: object, options: object = {}): string[] => {
  const toolkit = new Toolkit({ name: 'kit', version: '1', ...options })
  return problemsOf(() => toolkit.tool(untyped({ ...x, name: 't', ...tool })).toMcpServer()).map(
    ({ code }) => code,
  )
}

describe('toolkit start-up', () => {
  it('reports all problems of all tools at once', () => {
    const toolkit = new Toolkit({
      name: 'kit',
      version: '1',
      serviceDomains: ['crm'],
      env: { TOKEN: z.string() },
    })
      .tool(
        untyped({ ...x, name: 'a', behavior: { operations: ['create'], readOnly: true, destructive: true } }),
      )
      .tool(untyped({ ...x, name: 'b', preset: 'delete', behaviour: {} }))
      .tool(untyped({ ...x, name: 'b', behavior: { openWorld: 'yes' } }))
    const problems = problemsOf(() => toolkit.start({}))
    expect(problems.map(({ subject, code }) => `${subject} ${code}`)).toEqual([
      'a readonly-mutates',
      'a readonly-destructive',
      'b unknown-field',
      'b domain-closed-world',
      'b not-boolean',
      'b duplicate-name',
      'kit env-invalid',
    ])
    expect(() => toolkit.start({})).toThrow(
      /cannot start: 7 problems\n {2}a: behavior.readOnly: .*\n {4}Set readOnly/,
    )
  })

  it.each([
    ['inputSchema', 'input'],
    ['outputSchema', 'output'],
    ['handler', 'execute'],
    ['classification', 'serviceDomains'],
    ['descripton', 'description'],
  ])('names the field that %s means', (field, meant) => {
    const toolkit = new Toolkit({ name: 'kit', version: '1' }).tool(untyped({ ...x, [field]: {} }))
    expect(() => toolkit.start({})).toThrow(`Unknown field "${field}". Did you mean \`${meant}\`?`)
  })

  it.each([
    ['readonly-mutates', { behavior: { operations: ['update'], readOnly: true } }],
    ['readonly-opaque', { behavior: { operations: ['opaque'], readOnly: true } }],
    ['delete-not-destructive', { behavior: { operations: ['delete'], destructive: false } }],
    ['domain-closed-world', { behavior: { openWorld: false }, serviceDomains: ['email'] }],
    ['readonly-destructive', { annotations: { readOnlyHint: true, destructiveHint: true } }],
    ['extras-not-json', { extras: { limit: Number.NaN } }],
    ['extras-not-json', { strict: false, extras: { when: new Date() } }],
    ['unknown-field', { behavior: { readonly: true } }],
    ['unknown-field', { annotations: { readOnly: true } }],
    ['unknown-field', { annotations: { readOnlyHnt: true } }],
    ['unknown-field', { tag: [] }],
    ['unknown-field', { preview: { argument: 'dry_run' } }],
    ['unknown-operation', { behavior: { operations: ['remove'] } }],
    ['unknown-domain', { serviceDomains: ['chat'] }],
    ['not-boolean', { behavior: { readOnly: 1 } }],
    ['not-boolean', { annotations: { readOnlyHint: 'yes' } }],
    ['reserved-meta', { _meta: { 'io.hintgate/preview': { tool: 'x' } } }],
    ['too-many-tags', { tags: Array.from({ length: 41 }, String) }],
    ['wrong-type', { preset: 'send_message' }],
    ['wrong-type', { category: 'remove' }],
    ['wrong-type', { description: '' }],
    ['wrong-type', { execute: 'later' }],
    ['dialect-conflict', { preset: 'search', category: 'read' }],
    ['dialect-conflict', { annotations: { readOnlyHint: true }, behavior: { readOnly: false } }],
    ['no-name', { name: 'delete contact' }],
    ['no-name', { name: 'constructor' }],
    ['unusable-schema', { input: z.string() }],
    ['unusable-schema', { input: { id: 'string' } }],
    ['unusable-schema', { input: { when: z.date() } }],
  ])('refuses %s: %j', (code, tool) => {
    expect(codesOf(tool)).toEqual([code])
  })

  it('allows contradictions with strict: false, reports them, and does not send strict', () => {
    const tool = {
      ...x,
      name: 't',
      strict: false,
      behavior: { operations: ['delete'], destructive: false },
    } as const
    const toolkit = new Toolkit({ name: 'kit', version: '1' }).tool(tool)
    expect(toolkit.findings).toMatchObject([
      { subject: 't', code: 'delete-not-destructive', level: 'warning' },
      { code: 'flags-undeclared', level: 'info' },
    ])
    expect(JSON.stringify(toolkit.manifest())).not.toContain('strict')
  })

  it('requires all four flags in production', () => {
    expect(codesOf({ behavior: { readOnly: true } })).toEqual([])
    expect(codesOf({ behavior: { readOnly: true } }, { production: true })).toEqual(['flags-undeclared'])
  })

  it('suggests the nearest known field', () => {
    const toolkit = new Toolkit({ name: 'kit', version: '1' }).tool(
      untyped({ ...x, name: 't', behaviour: {} }),
    )
    expect(() => toolkit.manifest()).toThrow('Did you mean `behavior`?')
  })
})

describe('hints', () => {
  const hintsOf = (tool: object) => {
    const toolkit = new Toolkit({ name: 'kit', version: '1' }).tool(untyped({ ...x, name: 't', ...tool }))
    return readDefinition(toolkit.manifest().tools[0]).declared.hints
  }

  it('come from a preset, and explicit flags override it', () => {
    expect(hintsOf({ preset: 'send-message' })).toEqual({
      readOnly: false,
      destructive: true,
      idempotent: false,
      openWorld: true,
    })
    expect(hintsOf({ preset: 'delete', behavior: { idempotent: true } })).toMatchObject({ idempotent: true })
    expect(hintsOf({ category: 'write', annotations: { idempotentHint: true } })).toEqual({
      readOnly: false,
      destructive: false,
      idempotent: true,
      openWorld: true,
    })
  })

  it('stay undeclared without a declaration', () => {
    expect(hintsOf({})).toEqual({})
  })
})

describe('a manifest', () => {
  it('reads back as the same record', () => {
    const property = fc.property(anyMetadata, metadata => {
      fc.pre(!validateMetadata(metadata).some(({ level }) => level === 'error'))
      const { classification, ...rest } = metadata
      const { serviceDomains = [] } = classification ?? {}
      const tool = { ...x, name: 't', ...rest, serviceDomains }
      const toolkit = new Toolkit({ name: 'kit', version: '1' }).tool(untyped(tool))
      const { serviceDomains: _, ...record } = toRecord(metadata)
      expect(readDefinition(toolkit.manifest().tools[0]).declared).toEqual(
        serviceDomains.length === 0 ? record : { ...record, serviceDomains },
      )
    })
    fc.assert(property, { numRuns: 300 })
  })

  it('includes resources, templates and prompts', () => {
    const toolkit = new Toolkit({ name: 'kit', version: '1', title: 'Kit', instructions: 'Look first.' })
      .resource({ uri: 'kit://all', name: 'all', read: () => [] })
      .resource({ uri: 'kit://{id}', name: 'one', title: 'One', read: () => '' })
      .prompt({ name: 'ask', input: { what: z.string(), why: z.string().optional() }, render: () => 'x' })
    expect(toolkit.manifest()).toEqual({
      name: 'kit',
      version: '1',
      title: 'Kit',
      instructions: 'Look first.',
      tools: [],
      resources: [{ uri: 'kit://all', name: 'all' }],
      resourceTemplates: [{ uriTemplate: 'kit://{id}', name: 'one', title: 'One' }],
      prompts: [
        {
          name: 'ask',
          arguments: [
            { name: 'what', required: true },
            { name: 'why', required: false },
          ],
        },
      ],
    })
  })
})

describe('extend', () => {
  it('includes the tools of another toolkit, with its own domains and environment', () => {
    const crm = new Toolkit({
      name: 'crm',
      version: '1',
      serviceDomains: ['crm'],
      env: { CRM_KEY: z.string() },
    })
    crm.tool({ ...x, name: 'find', execute: ctx => ctx.text(ctx.env.CRM_KEY) })
    const all = new Toolkit({ name: 'all', version: '1' }).extend(crm).tool({ ...x, name: 'own' })
    expect(all.manifest().tools.map(({ name }) => name)).toEqual(['find', 'own'])
    expect(readDefinition(all.manifest().tools[0]).declared.serviceDomains).toEqual(['crm'])
    expect(problemsOf(() => all.start({}))).toMatchObject([{ subject: 'crm', path: 'env.CRM_KEY' }])
    expect(all.start({ CRM_KEY: 'k' }).tools.get('find')?.env).toEqual({ CRM_KEY: 'k' })
    expect(all.start({ CRM_KEY: 'k' }).tools.get('own')?.env).toEqual({})
  })

  it('reports two tools of the same name', () => {
    const one = new Toolkit({ name: 'one', version: '1' }).tool({ ...x, name: 'find' })
    expect(
      problemsOf(() =>
        new Toolkit({ name: 'two', version: '1' })
          .tool({ ...x, name: 'find' })
          .extend(one)
          .manifest(),
      ),
    ).toMatchObject([{ subject: 'find', code: 'duplicate-name' }])
  })
})
