import { validate } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { BUDGET } from './budget.ts'
import { compileSchema, examine } from './compile-schema.ts'
import { readRules } from './run.ts'

const NAMES = ['a', 'b', 'ab', '__proto__'] as const
const name = fc.constantFrom(...NAMES)
const small = fc.nat({ max: 3 })

const { value } = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 4, depthIdentifier: 'value' },
    fc.constantFrom<unknown>(null, true, false, 0, 1, 2, 2.5, -1, '', 'a', 'ab', 'abc', '😀'),
    fc.array(tie('value'), { maxLength: 3, depthIdentifier: 'value' }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, depthIdentifier: 'value' }).map(asJson),
  ),
}))

/** Turns `__proto__` into an own key, as parsing JSON does. */
function asJson(object: object): unknown {
  return JSON.parse(JSON.stringify(Object.fromEntries(Object.entries(object))))
}

const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'null', 'array', 'object')

/** Generates only keywords that the reference implementation handles correctly. It fails on `unevaluated…`. */
const { schema } = fc.letrec<{ schema: unknown; map: unknown; list: unknown }>(tie => {
  const inner = tie('schema')
  const keywords: Record<string, fc.Arbitrary<unknown>> = {
    type: fc.oneof(type, fc.array(type, { minLength: 1, maxLength: 2 })),
    enum: fc.array(value, { minLength: 1, maxLength: 3 }),
    const: value,
    minLength: small,
    maxLength: small,
    pattern: fc.constantFrom('^a', 'b$', '^[ab]+$'),
    minimum: small,
    exclusiveMaximum: small,
    multipleOf: fc.constantFrom(1, 2, 0.5),
    properties: tie('map'),
    patternProperties: fc.dictionary(fc.constantFrom('^a', 'b'), inner, { maxKeys: 2 }),
    additionalProperties: inner,
    propertyNames: inner,
    required: fc.uniqueArray(name),
    minProperties: small,
    maxProperties: small,
    dependentRequired: fc.dictionary(name, fc.array(name, { maxLength: 2 }), { maxKeys: 2 }),
    dependentSchemas: tie('map'),
    prefixItems: tie('list'),
    items: inner,
    contains: inner,
    minItems: small,
    maxItems: small,
    uniqueItems: fc.boolean(),
    allOf: tie('list'),
    anyOf: tie('list'),
    oneOf: tie('list'),
    not: inner,
    if: inner,
    else: inner,
  }
  const parts = Object.entries(keywords).map(([key, arbitrary]) => arbitrary.map(part => ({ [key]: part })))
  return {
    map: fc.dictionary(name, inner, { maxKeys: 2 }),
    list: fc.array(inner, { minLength: 1, maxLength: 2 }),
    schema: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<unknown>({}, true, false, { $ref: '#/$defs/a' }),
      fc.array(fc.oneof(...parts), { minLength: 1, maxLength: 3 }).map(all => Object.assign({}, ...all)),
    ),
  }
})

const leaf = fc.record({ type, minimum: small, required: fc.array(name) }, { requiredKeys: ['type'] })
const document = fc
  .tuple(schema, leaf)
  .map(([root, a]) => asJson({ ...(isJsonObject(root) ? root : {}), $defs: { a } }) as Json)

describe('compileSchema() with random schemas and arguments', () => {
  it('agrees with the reference', () => {
    let refused = 0
    fc.assert(
      fc.property(document, fc.array(value, { minLength: 1, maxLength: 5 }), (schema, values) => {
        const check = compileSchema(schema)
        for (const args of values) {
          const { valid } = validate(args, structuredClone(schema), '2020-12')
          expect(check(args) === undefined).toBe(valid)
          if (!valid) refused += 1
        }
      }),
      { numRuns: 1_000 },
    )
    expect(refused).toBeGreaterThan(100)
  })

  it('never throws, and stops only when the budget is spent', () => {
    const keyword = fc.constantFrom(
      'type',
      'enum',
      'const',
      'minLength',
      'pattern',
      'minimum',
      'multipleOf',
      'properties',
    )
    const more = fc.constantFrom(
      'required',
      'items',
      'contains',
      'allOf',
      'anyOf',
      'oneOf',
      'not',
      'if',
      'then',
      '$ref',
      '$id',
    )
    const rest = fc.constantFrom(
      'unevaluatedProperties',
      'unevaluatedItems',
      'patternProperties',
      'propertyNames',
      'uniqueItems',
    )
    const { wild } = fc.letrec<{ wild: unknown }>(tie => ({
      wild: fc.oneof(
        { maxDepth: 5 },
        fc.jsonValue({ maxDepth: 1 }),
        fc.constantFrom<unknown>('#', '#/properties/a', '(a+)+$', '(', true, false),
        fc.dictionary(fc.oneof(keyword, more, rest, name), tie('wild'), { maxKeys: 5 }),
        fc.array(tie('wild'), { maxLength: 3 }),
      ),
    }))
    fc.assert(
      fc.property(wild, fc.oneof(value, fc.jsonValue(), fc.anything()), (schema, args) => {
        const problem = compileSchema(schema)(args)
        if (problem) expect(problem.expected).not.toBe('')
        if (!isJsonObject(schema)) return
        const { kind, spent } = examine(args, schema, readRules(schema))
        if (kind === 'unchecked') expect(spent).toBeGreaterThan(BUDGET)
      }),
      { numRuns: 2_000 },
    )
  })
})
