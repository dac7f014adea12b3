import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../finding.ts'
import { anyMetadata } from '../test-support/arbitraries.ts'
import { validateMetadata } from './validate-metadata.ts'

const codes = (findings: readonly Finding[]) => findings.map(finding => finding.code)
const errors = (metadata: unknown) =>
  codes(validateMetadata(metadata).filter(finding => finding.level === 'error'))
const find = (metadata: unknown, code: string) =>
  validateMetadata(metadata).find(finding => finding.code === code)
const all = { readOnly: false, destructive: false, idempotent: false, openWorld: true }

describe('contradictions', () => {
  it('names only the operations that mutate', () => {
    const finding = find(
      { behavior: { operations: ['read', 'create', 'delete'], readOnly: true } },
      'readonly-mutates',
    )
    expect(finding?.message).toContain('create, delete')
    expect(finding?.message).not.toContain('read,')
    expect(finding?.level).toBe('error')
  })

  it.each(['create', 'update', 'delete'] as const)('refuses %s with readOnly', operation => {
    expect(errors({ behavior: { operations: [operation], readOnly: true } })).toContain('readonly-mutates')
    expect(errors({ behavior: { operations: [operation], readOnly: false } })).not.toContain(
      'readonly-mutates',
    )
    expect(errors({ behavior: { operations: [operation] } })).not.toContain('readonly-mutates')
  })

  it.each([
    [
      { operations: ['update'], readOnly: true },
      'readonly-mutates',
      'readOnly is true, but the declared operations change data: update.',
    ],
    [
      { operations: ['opaque'], readOnly: true },
      'readonly-opaque',
      'readOnly is true, but the effect is opaque: it depends on the arguments.',
    ],
    [
      { operations: ['delete'], destructive: false },
      'delete-not-destructive',
      'destructive is false, but the tool deletes.',
    ],
    [
      { readOnly: true, destructive: true },
      'readonly-destructive',
      'readOnly and destructive are both true.',
    ],
    [
      { operations: ['opaque'], destructive: false },
      'opaque-not-destructive',
      'destructive is false, but the effect is opaque: it depends on the arguments.',
    ],
    [
      { operations: ['read'], destructive: true },
      'read-destructive',
      'destructive is true, but the tool only reads.',
    ],
    [
      { operations: ['read'], readOnly: false },
      'read-not-readonly',
      'readOnly is false, but the tool only reads.',
    ],
  ])('reports %j as %s', (behavior, code, message) => {
    expect(find({ behavior }, code)?.message).toBe(message)
  })

  it('reports no contradiction for undeclared values', () => {
    for (const operations of [undefined, ['read'], ['create'], ['opaque'], ['delete']]) {
      expect(codes(validateMetadata({ behavior: { operations } }))).toEqual(['flags-undeclared'])
    }
    const said = [
      { readOnly: true },
      { readOnly: false },
      { destructive: true },
      { destructive: false },
      { openWorld: false },
    ]
    for (const behavior of said) expect(codes(validateMetadata({ behavior }))).toEqual(['flags-undeclared'])
  })

  it('rejects opaque with readOnly, and reports only that', () => {
    expect(errors({ behavior: { operations: ['opaque'], readOnly: true } })).toEqual(['readonly-opaque'])
    expect(errors({ behavior: { operations: ['read'], readOnly: true } })).toEqual([])
  })

  it('rejects delete with destructive false, and accepts it undeclared', () => {
    expect(errors({ behavior: { operations: ['delete'], destructive: false } })).toEqual([
      'delete-not-destructive',
    ])
    expect(errors({ behavior: { operations: ['delete'] } })).toEqual([])
    expect(errors({ behavior: { operations: ['delete'], destructive: true } })).toEqual([])
  })

  it('rejects a service domain with openWorld false, and accepts it undeclared', () => {
    const classification = { serviceDomains: ['email'] }
    expect(errors({ classification, behavior: { openWorld: false } })).toEqual(['domain-closed-world'])
    expect(errors({ classification, behavior: {} })).toEqual([])
    expect(errors({ classification, behavior: { openWorld: true } })).toEqual([])
    expect(errors({ classification: { serviceDomains: [] }, behavior: { openWorld: false } })).toEqual([])
  })

  it('rejects readOnly together with destructive', () => {
    expect(errors({ behavior: { readOnly: true, destructive: true } })).toEqual(['readonly-destructive'])
    expect(errors({ behavior: { readOnly: true, destructive: false } })).toEqual([])
  })

  it.each([
    ['opaque-not-destructive', { operations: ['opaque'], destructive: false }, { operations: ['opaque'] }],
    [
      'read-destructive',
      { operations: ['read'], destructive: true },
      { operations: ['read', 'delete'], destructive: true },
    ],
    [
      'read-not-readonly',
      { operations: ['read'], readOnly: false },
      { operations: ['read', 'update'], readOnly: false },
    ],
    ['read-not-readonly', { operations: ['read'], readOnly: false }, { operations: [], readOnly: false }],
  ])('warns about %s', (code, bad, good) => {
    expect(find({ behavior: bad }, code)?.level).toBe('warning')
    expect(find({ behavior: good }, code)).toBeUndefined()
  })

  it('reports undeclared flags, as an error in production', () => {
    const { openWorld: _, ...three } = all
    expect(find({ behavior: three }, 'flags-undeclared')).toMatchObject({
      level: 'info',
      message: 'Undeclared flags: openWorld.',
    })
    expect(find({}, 'flags-undeclared')?.message).toBe(
      'Undeclared flags: readOnly, destructive, idempotent, openWorld.',
    )
    expect(find({ behavior: all }, 'flags-undeclared')).toBeUndefined()
    expect(validateMetadata({ behavior: three }, { production: true })[0]?.level).toBe('error')
    expect(validateMetadata({ behavior: all }, { production: true })).toEqual([])
  })

  it('makes only undeclared flags errors in production, and lowers only errors when not strict', () => {
    const behavior = { ...all, operations: ['read'] }
    expect(validateMetadata({ behavior }, { production: true }).map(finding => finding.level)).toEqual([
      'warning',
    ])
    expect(validateMetadata({ strict: false }).map(finding => finding.level)).toEqual(['info'])
  })

  it('reports all contradictions at once', () => {
    const metadata = {
      classification: { serviceDomains: ['crm'] },
      behavior: {
        operations: ['create', 'opaque', 'delete'],
        readOnly: true,
        destructive: false,
        openWorld: false,
      },
    }
    expect(codes(validateMetadata(metadata))).toEqual([
      'readonly-mutates',
      'readonly-opaque',
      'delete-not-destructive',
      'domain-closed-world',
      'opaque-not-destructive',
      'flags-undeclared',
    ])
  })

  it('gives every finding a path and a fix', () => {
    fc.assert(
      fc.property(anyMetadata, metadata => {
        for (const finding of validateMetadata(metadata)) {
          expect(finding.path).not.toBe('')
          expect(finding.fix).not.toBe('')
        }
      }),
    )
  })
})

describe('strict: false', () => {
  it('reports contradictions as warnings', () => {
    const metadata = { strict: false, behavior: { operations: ['create'], readOnly: true } }
    expect(errors(metadata)).toEqual([])
    expect(find(metadata, 'readonly-mutates')?.level).toBe('warning')
  })

  it('still reports a wrong shape as an error', () => {
    const metadata = {
      strict: false,
      extras: { a: Number.NaN, deep: [{ when: new Date(0) }] },
      behavior: { readOnly: 'yes', operations: ['nuke'] },
      classification: { serviceDomains: ['mail'] },
      tags: Array(41).fill('x'),
      colour: 'red',
      _meta: { 'io.hintgate/metadata': {} },
    }
    expect(errors(metadata).sort()).toEqual([
      'extras-not-json',
      'extras-not-json',
      'not-boolean',
      'reserved-meta',
      'too-many-tags',
      'unknown-domain',
      'unknown-field',
      'unknown-operation',
    ])
  })
})

describe('shape checks', () => {
  it('reports both of two bad extras, each with its path', () => {
    const extras = { limit: Number.POSITIVE_INFINITY, nested: { call: () => 1 } }
    expect(
      validateMetadata({ strict: false, extras })
        .filter(f => f.code === 'extras-not-json')
        .map(f => f.path),
    ).toEqual(['extras.limit', 'extras.nested.call'])
  })

  it.each([
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    () => 1,
    new Date(),
    Symbol('s'),
    1n,
    new Map(),
    '\ud800',
    [undefined],
  ])('rejects %s in extras', value => {
    expect(errors({ extras: { value } })).toEqual(['extras-not-json'])
  })

  it('rejects a cycle in extras, and accepts an object that is used twice', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    expect(errors({ extras: cyclic })).toEqual(['extras-not-json'])
    const shared = { a: 1 }
    expect(errors({ extras: { one: shared, two: [shared, shared] } })).toEqual([])
  })

  it.each(['yes', 1, 0, null, 'true', []])('rejects %j as a boolean', value => {
    expect(errors({ behavior: { readOnly: value } })).toEqual(['not-boolean'])
    expect(errors({ behavior: { egress: value } })).toEqual(['not-boolean'])
    expect(errors({ strict: value })).toEqual(['not-boolean'])
  })

  it('accepts 40 tags and rejects 41', () => {
    expect(errors({ tags: Array(40).fill('t') })).toEqual([])
    expect(errors({ tags: Array(41).fill('t') })).toEqual(['too-many-tags'])
    expect(errors({ tags: [1] })).toEqual(['wrong-type'])
  })

  it.each([null, 'text', 7, [], undefined])('rejects %j as metadata', value => {
    expect(codes(validateMetadata(value))).toEqual(['wrong-type'])
  })

  it('shows the rejected value, shortened', () => {
    const message = (value: unknown) => find({ behavior: { readOnly: value } }, 'not-boolean')?.message
    expect(message('yes')).toBe('"yes" is not a boolean.')
    expect(message(1)).toBe('1 is not a boolean.')
    expect(message(null)).toBe('null is not a boolean.')
    expect(message([])).toBe('an array is not a boolean.')
    expect(message({})).toBe('a value of type object is not a boolean.')
    expect(message('x'.repeat(40))).toBe(`"${'x'.repeat(40)}" is not a boolean.`)
    expect(message('x'.repeat(41))).toBe(`"${'x'.repeat(39)}…" is not a boolean.`)
    expect(find({ title: true }, 'wrong-type')?.message).toBe('true is not a string.')
    expect(find({ tags: Array(41).fill('t') }, 'too-many-tags')?.message).toBe(
      'The list has 41 tags; the maximum is 40.',
    )
    expect(find({ extras: { a: Number.NaN } }, 'extras-not-json')?.message).toBe('JSON cannot represent NaN.')
  })

  it('reports at most twenty unknown fields', () => {
    const many = Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`field${i}`, i]))
    expect(errors(many)).toHaveLength(20)
  })

  it('suggests the nearest known value', () => {
    expect(find({ behavior: { readonly: true } }, 'unknown-field')).toMatchObject({
      path: 'behavior.readonly',
      message: expect.stringContaining('`readOnly`'),
    })
    expect(find({ classification: { serviceDomains: ['e-mail'] } }, 'unknown-domain')?.message).toContain(
      '`email`',
    )
    expect(find({ behavior: { operations: ['Delete'] } }, 'unknown-operation')?.path).toBe(
      'behavior.operations[0]',
    )
  })

  it.each([
    [{ title: 1 }, 'title'],
    [{ action: {} }, 'action'],
    [{ tags: 'x' }, 'tags'],
    [{ extras: [] }, 'extras'],
    [{ behavior: 'x' }, 'behavior'],
    [{ classification: 1 }, 'classification'],
    [{ behavior: { operations: 'read' } }, 'behavior.operations'],
    [{ behavior: { reach: 'moon' } }, 'behavior.reach'],
    [{ classification: { serviceDomains: {} } }, 'classification.serviceDomains'],
    [{ _meta: 'x' }, '_meta'],
  ])('refuses %j', (metadata, path) => {
    expect(find(metadata, 'wrong-type')?.path).toBe(path)
  })

  it("rejects a Hintgate key in an author's _meta, and no other key", () => {
    expect(errors({ _meta: { 'io.hintgate/anything': 1 } })).toEqual(['reserved-meta'])
    expect(errors({ _meta: { 'com.example/io.hintgate/x': 1 } })).toEqual([])
  })
})
