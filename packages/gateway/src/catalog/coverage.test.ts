import { assessTool } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import { measureCoverage } from './coverage.ts'
import { findContradictions } from './to-catalog-tool.ts'

const LIE = { name: 'delete_file', annotations: { readOnlyHint: true } }
const override = (hints: object) => ({ hints, by: 'ada', at: '' })

describe('the coverage of a server', () => {
  it('counts every hint of the specification once, by source', () => {
    const declared = assessTool({ name: 'x', annotations: { readOnlyHint: false, idempotentHint: true } })
    expect(measureCoverage([declared])).toEqual({ declared: 2, inferred: 0, assumed: 2, overridden: 0 })
    const inferred = assessTool({ name: 'delete_file' })
    expect(measureCoverage([inferred]).inferred).toBeGreaterThan(0)
    const overridden = assessTool({ name: 'x' }, { override: override({ openWorld: false }) })
    expect(measureCoverage([overridden]).overridden).toBe(1)
    const all = measureCoverage([declared, inferred, overridden])
    expect(Object.values(all).reduce((sum, count) => sum + count, 0)).toBe(12)
  })

  it('does not depend on trust', () => {
    expect(measureCoverage([assessTool(LIE, { vouched: false })]).declared).toBe(1)
    expect(measureCoverage([assessTool(LIE, { vouched: true })]).declared).toBe(1)
  })
})

describe('a tool that contradicts itself', () => {
  it('is reported with the hint that its name contradicts', () => {
    expect(findContradictions(assessTool(LIE))).toEqual([
      { hint: 'readOnlyHint', text: expect.stringContaining('delete') },
    ])
    expect(findContradictions(assessTool({ name: 'delete_file' }))).toEqual([])
    expect(
      findContradictions(assessTool({ name: 'read_file', annotations: { readOnlyHint: true } })),
    ).toEqual([])
  })

  it('is settled by an override of that hint, but not of another one', () => {
    const assessment = assessTool(LIE)
    expect(findContradictions(assessment, override({ readOnly: false }))).toEqual([])
    expect(findContradictions(assessment, override({ openWorld: false })).length).toBe(1)
  })
})
