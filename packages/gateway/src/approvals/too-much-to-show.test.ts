import { describe, expect, it } from 'vitest'
import { tooMuchToShow } from './shorten.ts'

const MOST = 256 * 1024
const call = (args: unknown, more = {}) => tooMuchToShow({ name: 't', arguments: args, ...more })

describe('the size check before approval', () => {
  it('accepts an empty call and a long one', () => {
    expect(tooMuchToShow({ name: 't' })).toBeUndefined()
    expect(call({ text: 'x'.repeat(MOST - 100) })).toBeUndefined()
  })

  it.each<[string, unknown, object]>([
    ['a text', { text: 'x'.repeat(MOST) }, {}],
    ['a name', { ['x'.repeat(MOST)]: 1 }, {}],
    ['members', Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [`k${at}`, 1])), {}],
    ['characters that take space to be shown', { text: '\u202e'.repeat(MOST / 6) }, {}],
    ['a parameter besides its arguments', {}, { _meta: { 'com.example/x': 'x'.repeat(MOST) } }],
    ['both', { text: 'x'.repeat(MOST / 2) }, { other: 'x'.repeat(MOST / 2) }],
  ])('rejects %s of that length', (_what, args, more) => {
    expect(call(args, more)).toMatchObject({ most: MOST })
  })

  it('reports the size', () => {
    expect(call({ text: 'x'.repeat(MOST) })?.characters).toBe(MOST + '[{"text":""}]'.length)
  })
})
