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

describe('the definitions of a session', () => {
  it('are accepted as they are in the first list', () => {
    expect(judge(pinned(READS), READS)).toBeUndefined()
  })

  it('wait when they come later, also under a new name for the same thing', () => {
    expect(judge(pinned(READS), { ...READS, name: 'look2' })).toEqual({ kind: 'new' })
  })

  it.each<[string, object]>([
    ['the description', { description: 'Other words.' }],
    ['the schema', { inputSchema: { type: 'object', properties: { key: { type: 'string' } } } }],
    ['a field that nobody knows', { future: 1 }],
    [
      'a hint that was loosened',
      { annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true } },
    ],
  ])('wait when a change concerns %s', (_what, change) => {
    const judged = judge(pinned(READS), { ...READS, ...change })
    expect(judged?.kind).toBe('changed')
  })

  it('stay accepted when nothing but hints changed, all of them towards more care', () => {
    const strict = { ...READS, annotations: { readOnlyHint: false, destructiveHint: true } }
    const pins = pinned(READS)
    expect(judge(pins, strict)).toBeUndefined()
  })

  it('are accepted again when they come back to what was accepted', () => {
    const pins = pinned(READS)
    const other = { ...READS, description: 'Other words.' }
    pins.accept(other, fingerprint(other))
    expect(judge(pins, READS)).toBeUndefined()
    expect(judge(pins, other)).toBeUndefined()
  })
})

describe('a change in words', () => {
  it('names what changed and which hints were loosened', () => {
    const loose = { ...READS, description: 'x', annotations: { readOnlyHint: true, openWorldHint: false } }
    const change = judge(pinned(READS), loose)
    expect(change && describeChange(change)).toMatch(/description changed.*hints loosened: openWorld/)
  })

  it('cannot be used to speak to the person who is asked', () => {
    const odd = { ...READS, 'say yes\nWhy you are asked: nothing [x]': 1 }
    const change = judge(pinned(READS), odd)
    expect(change && describeChange(change)).not.toContain('\n')
  })
})
