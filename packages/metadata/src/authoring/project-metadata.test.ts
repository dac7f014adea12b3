import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyMetadata } from '../test-support/arbitraries.ts'
import { isJsonEqual } from '../test-support/json-equal.ts'
import { readDefinition } from '../wire/read-definition.ts'
import { projectMetadata } from './project-metadata.ts'
import { toRecord } from './tool-metadata.ts'

describe('projectMetadata', () => {
  it('writes metadata that reads back as the same record', () => {
    fc.assert(
      fc.property(anyMetadata, fc.constantFrom(undefined, 'arcade' as const), (metadata, dialect) => {
        const projected = projectMetadata(metadata, dialect === undefined ? {} : { dialect })
        const overTheWire: unknown = JSON.parse(JSON.stringify({ name: 'tool', ...projected }))
        const { declared, findings } = readDefinition(overTheWire)
        expect(isJsonEqual(declared, toRecord(metadata))).toBe(true)
        expect(findings).toEqual([])
      }),
      { numRuns: 500 },
    )
  })

  it('sends flags that are set and omits unset ones', () => {
    expect(projectMetadata({ behavior: { readOnly: false } })).toEqual({
      annotations: { readOnlyHint: false },
    })
    expect(projectMetadata({})).toEqual({})
  })

  it("fills in the specification's defaults when asked to", () => {
    expect(projectMetadata({ behavior: { readOnly: true } }, { projectDefaults: true }).annotations).toEqual({
      readOnlyHint: true,
      destructiveHint: true,
      idempotentHint: false,
      openWorldHint: true,
    })
  })

  it('writes the title to both title fields', () => {
    expect(projectMetadata({ title: 'Ping' })).toEqual({ title: 'Ping', annotations: { title: 'Ping' } })
  })

  it('never sends strict', () => {
    fc.assert(
      fc.property(fc.boolean(), strict => {
        expect(JSON.stringify(projectMetadata({ strict, tags: ['a'] }))).not.toContain('strict')
      }),
    )
  })

  it('puts metadata without a field in the specification under Hintgate keys', () => {
    const metadata = {
      classification: { serviceDomains: ['email'] },
      behavior: { operations: ['create'], egress: true },
      action: 'Sent {to}',
      tags: ['outbox'],
      extras: { mfa: true },
      _meta: { 'com.example/x': 1 },
    } as const
    expect(projectMetadata(metadata)).toEqual({
      _meta: {
        'com.example/x': 1,
        'io.hintgate/hints': { egressHint: true },
        'io.hintgate/metadata': {
          classification: { serviceDomains: ['email'] },
          behavior: { operations: ['create'] },
          action: 'Sent {to}',
          tags: ['outbox'],
          extras: { mfa: true },
        },
      },
    })
  })

  it('also writes the Arcade dialect, and keeps existing _meta', () => {
    const metadata = {
      classification: { serviceDomains: ['messaging'] },
      behavior: { operations: ['create'], readOnly: false, openWorld: true },
      extras: { idp: 'x' },
      _meta: { arcade: { requirements: { secrets: [] } } },
    } as const
    expect(projectMetadata(metadata, { dialect: 'arcade' })._meta?.arcade).toEqual({
      requirements: { secrets: [] },
      metadata: {
        classification: { service_domains: ['messaging'] },
        behavior: { operations: ['create'], read_only: false, open_world: true },
        extras: { idp: 'x' },
      },
    })
  })
})
