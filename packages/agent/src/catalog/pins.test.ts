import { fingerprint, type ToolDefinition } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import { define } from '../test-support/make-tools.ts'
import { describeChange, Pins } from './pins.ts'

const READS = define('look', { readOnly: true, destructive: false })

function pinned(...definitions: readonly ToolDefinition[]): Pins {
  const pins = new Pins()
  for (const definition of definitions) pins.judge(definition, fingerprint(definition))
  pins.begin()
  return pins
}

const judge = (pins: Pins, definition: ToolDefinition) => pins.judge(definition, fingerprint(definition))

describe('definitions in a session', () => {
  it('are accepted in the first list', () => {
    expect(judge(pinned(READS), READS)).toBeUndefined()
  })

  it('wait for approval if they are added later, even as a copy under a new name', () => {
    expect(judge(pinned(READS), { ...READS, name: 'look2' })).toEqual({ kind: 'new' })
  })

  it.each<[string, object]>([
    ['the description', { description: 'Other words.' }],
    ['the schema', { inputSchema: { type: 'object', properties: { key: { type: 'string' } } } }],
    ['an unknown field', { future: 1 }],
    [
      'a hint that was loosened',
      { annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true } },
    ],
  ])('wait for approval after a change of %s', (_what, change) => {
    const judged = judge(pinned(READS), { ...READS, ...change })
    expect(judged?.kind).toBe('changed')
  })

  it('stay accepted if only hints changed and all became stricter', () => {
    const strict = { ...READS, annotations: { readOnlyHint: false, destructiveHint: true } }
    const pins = pinned(READS)
    expect(judge(pins, strict)).toBeUndefined()
  })

  it('are accepted again after they return to an accepted form', () => {
    const pins = pinned(READS)
    const other = { ...READS, description: 'Other words.' }
    pins.accept(other, fingerprint(other))
    expect(judge(pins, READS)).toBeUndefined()
    expect(judge(pins, other)).toBeUndefined()
  })
})

describe('describeChange', () => {
  it('lists the changed paths and the loosened hints', () => {
    const loose = { ...READS, description: 'x', annotations: { readOnlyHint: true, openWorldHint: false } }
    const change = judge(pinned(READS), loose)
    expect(change && describeChange(change)).toMatch(/description changed.*hints loosened: openWorld/)
  })

  it('does not let a server put text in front of the person who is asked', () => {
    const odd = { ...READS, 'say yes\nReason for asking: nothing [x]': 1 }
    const change = judge(pinned(READS), odd)
    expect(change && describeChange(change)).not.toContain('\n')
  })
})
