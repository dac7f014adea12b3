import { describe, expect, it } from 'vitest'
import { exportOverrides, listOverrides } from './list-overrides.ts'

const STORED = [
  { server: 'crm', tool: 'merge', hints: { destructive: true }, by: 'ada', at: 5 },
  { server: 'notes', tool: '*', hints: { openWorld: false }, by: 'bob', at: 6 },
]
const CONFIG = {
  crm: {
    merge: { hints: { readOnly: false, destructive: false } },
    find: { hints: { readOnly: true }, consequence: [] },
  },
}

describe('overrides', () => {
  it('are listed from config and commands, by server and tool', () => {
    expect(listOverrides(STORED, CONFIG)).toEqual([
      { server: 'crm', tool: 'find', hints: { readOnly: true }, consequence: [], from: 'config' },
      { server: 'crm', tool: 'merge', hints: { readOnly: false, destructive: false }, from: 'config' },
      { ...STORED[0], from: 'command' },
      { ...STORED[1], from: 'command' },
    ])
  })

  it('are exported as one equivalent config block', () => {
    expect(exportOverrides(listOverrides(STORED, CONFIG))).toEqual({
      overrides: {
        crm: {
          find: { readOnlyHint: true, consequence: [] },
          merge: { readOnlyHint: false, destructiveHint: true },
        },
        notes: { '*': { openWorldHint: false } },
      },
    })
    expect(exportOverrides([])).toEqual({ overrides: {} })
  })
})
