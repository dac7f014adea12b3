import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ToolDefinition } from '../definition/tool-definition.ts'
import { inferTool } from './infer-tool.ts'
import type { Inference } from './inference.ts'
import { MAX_PARAMETERS, readParameters } from './read-schema.ts'
import { learnSiblings } from './siblings.ts'

function asDefinition(value: unknown): ToolDefinition {
  return value as ToolDefinition
}

function judgementsOf(inference: Inference): { value: unknown; confidence: number }[] {
  const { operations, readOnly, destructive, idempotent, openWorld, reversible, egress, sensitive, domains } =
    inference
  const all = [
    operations,
    readOnly,
    destructive,
    idempotent,
    openWorld,
    reversible,
    egress,
    sensitive,
    ...domains,
  ]
  return all.filter(judgement => judgement !== undefined)
}

const WORDS = [
  'get',
  'list',
  'delete',
  'update',
  'create',
  'send',
  'run',
  'not',
  'never',
  'without',
  'read',
  'only',
  'file',
  'sql',
  'destructive',
  'cannot',
  'be',
  'undone',
  'and',
  'or',
  'this',
  'tool',
  'operations',
  'code',
  'status',
  'can',
  'is',
]
const prose = fc
  .array(fc.constantFrom(...WORDS, '. ', ': ', ', '), { maxLength: 30 })
  .map(words => words.join(' '))
const name = fc.array(fc.constantFrom(...WORDS), { maxLength: 5 }).map(words => words.join('_'))
const schema = fc.dictionary(
  fc.constantFrom('command', 'sql', 'url', 'to', 'action', 'force', 'limit', 'dry_run', '__proto__'),
  fc.record({ type: fc.constantFrom('string', 'integer'), enum: fc.array(fc.constantFrom(...WORDS)) }),
)

describe('inference of hostile definitions', () => {
  it('never throws, for any field values', () => {
    const field = fc.oneof(
      fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }),
      fc.string(),
    )
    const shape = fc.record({
      name: field,
      title: field,
      description: field,
      inputSchema: field,
      outputSchema: field,
    })
    fc.assert(
      fc.property(fc.oneof(shape, fc.anything()), fc.array(shape), (definition, siblings) => {
        for (const { confidence } of judgementsOf(
          inferTool(asDefinition(definition), siblings.map(asDefinition)),
        )) {
          expect(confidence).toBeGreaterThanOrEqual(0)
          expect(confidence).toBeLessThanOrEqual(1)
        }
      }),
    )
  })

  it('never infers both read-only and destructive, and always infers an operation', () => {
    fc.assert(
      fc.property(name, prose, schema, (tool, description, properties) => {
        const { readOnly, destructive, operations } = inferTool({
          name: tool,
          description,
          inputSchema: { properties },
        })
        expect(readOnly.value && destructive.value).toBe(false)
        expect(operations.value.length).toBeGreaterThan(0)
        if (readOnly.value) expect(operations.value).toEqual(['read'])
      }),
    )
  })

  it('is deterministic', () => {
    fc.assert(
      fc.property(name, prose, (tool, description) => {
        const definition = { name: tool, description }
        expect(inferTool(definition, [definition])).toEqual(inferTool(definition, [definition]))
      }),
    )
  })

  it('reads at most its limit', () => {
    const filler = 'word '.repeat(2_000_000)
    const { readOnly } = inferTool({ name: 'x', description: `${filler} deletes everything permanently` })
    expect(readOnly.evidence).toEqual([])
  })

  it('reads a bounded part of a deep, wide or cyclic schema', () => {
    const cyclic: Record<string, unknown> = { properties: { action: {} } }
    cyclic.anyOf = [cyclic, cyclic, cyclic]
    cyclic.items = cyclic
    ;(cyclic.properties as Record<string, unknown>).action = cyclic
    let deep: unknown = {}
    for (let level = 0; level < 10_000; level += 1)
      deep = { properties: { a: deep }, anyOf: [deep], items: deep }
    const wide = { properties: Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`p${at}`, {}])) }
    expect(readParameters(cyclic)).toHaveLength(1)
    expect(readParameters(deep).length).toBeLessThanOrEqual(MAX_PARAMETERS)
    expect(readParameters(wide)).toHaveLength(MAX_PARAMETERS)
    expect(
      readParameters({ properties: { action: { enum: Array(100_000).fill('get') } } })[0]?.choices,
    ).toHaveLength(64)
  })

  it('reads own properties only, and ignores a getter that throws', () => {
    const inherited = Object.create({ name: 'delete_all', description: 'Deletes' })
    expect(inferTool(inherited).readOnly.evidence).toEqual([])
    const trap = {
      get name(): string {
        throw new Error('trap')
      },
    }
    expect(inferTool(trap).readOnly.value).toBe(false)
    expect(learnSiblings([asDefinition(trap), asDefinition(null)]).namespace).toEqual([])
    const polluted = JSON.parse('{"name":"x","inputSchema":{"properties":{"__proto__":{"enum":["delete"]}}}}')
    expect(inferTool(polluted).destructive.value).toBe(inferTool({ name: 'x' }).destructive.value)
  })
})
