import { describe, expect, it } from 'vitest'
import { editHints, onWire, parseHintEdit } from './list-overrides.ts'

describe('hints that an operator sets', () => {
  it('are true, false, or cleared', () => {
    expect(
      parseHintEdit(['readOnlyHint=true, egressHint=false', 'openWorldHint=true'], ['idempotentHint']),
    ).toEqual({
      set: { readOnly: true, egress: false, openWorld: true },
      clear: ['idempotent'],
    })
  })

  it.each([
    [['readonlyHint=true'], [], 'did you mean readOnlyHint?'],
    [['readOnly=true'], [], 'did you mean readOnlyHint?'],
    [['zzz=true'], [], 'the hints are readOnlyHint, destructiveHint'],
    [['constructor=true'], [], 'the hints are'],
    [['readOnlyHint'], [], 'readOnlyHint=true or readOnlyHint=false'],
    [['readOnlyHint=yes'], [], '--clear readOnlyHint'],
    [['readOnlyHint=true=true'], [], 'readOnlyHint=true'],
    [['readOnlyHint=true,readOnlyHint=false'], [], 'give each hint once'],
    [['readOnlyHint=true'], ['readOnlyHint'], 'give each hint once'],
    [[], ['destructivHint'], 'did you mean destructiveHint?'],
  ])('are rejected as %j and %j', (set, clear, fix) => {
    expect(parseHintEdit(set, clear)).toMatchObject({ isUsage: true, fix: expect.stringContaining(fix) })
  })

  it('are merged with earlier ones', () => {
    const before = { readOnly: true, destructive: false }
    expect(editHints(before, { set: { openWorld: true }, clear: ['readOnly', 'egress'] })).toEqual({
      destructive: false,
      openWorld: true,
    })
    expect(editHints(before, { set: { readOnly: false }, clear: [] })).toEqual({
      readOnly: false,
      destructive: false,
    })
  })

  it('are shown with their MCP names', () => {
    expect(onWire({ sensitive: true, readOnly: false })).toEqual({ readOnlyHint: false, sensitiveHint: true })
  })
})
