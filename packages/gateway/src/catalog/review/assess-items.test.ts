import { describe, expect, it } from 'vitest'
import { assessItems } from './review-item.ts'
import { itemsOf, stored } from './test-support/stored.ts'

const LIE = { name: 'delete_note', annotations: { readOnlyHint: true } }

describe('tools under review', () => {
  it('are judged as if they were approved, with the hints that their own words contradict', () => {
    const items = itemsOf(stored([[LIE]]), stored([[{ name: 'p' }]], { kind: 'prompt' }))
    const [assessed, ...others] = assessItems(items, { profile: 'gateway', overrideOf: () => undefined })
    expect(others).toEqual([])
    expect(assessed?.assessment.effective.readOnly).toEqual({ value: true, source: 'declared' })
    expect(assessed?.contradictions.map(({ hint }) => hint)).toEqual(['readOnlyHint'])
  })

  it('take overrides into account', () => {
    const override = { hints: { readOnly: false }, by: 'ada', at: '' }
    const overrideOf = (_server: string, tool: string) => (tool === 'delete_note' ? override : undefined)
    const [assessed] = assessItems(itemsOf(stored([[LIE]])), { profile: 'gateway', overrideOf })
    expect(assessed?.assessment.effective.readOnly).toEqual({ value: false, source: 'override' })
    expect(assessed?.contradictions).toEqual([])
  })
})
