import { type EffectiveHints, legsOf, resolveEffective } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import { hintsOfPassage } from './note-passage.ts'

const tool = (hints: object): EffectiveHints =>
  resolveEffective({ declared: { hints: { readOnly: true, ...hints } }, vouched: true })

const CLOSED = tool({ sensitive: false, openWorld: false })
const legsIn = (method: string, tools: readonly EffectiveHints[]) => legsOf(hintsOfPassage(method, tools))

describe('what is read beside tools', () => {
  it('brings the worst that a tool of the server says', () => {
    expect(legsIn('resources/read', [CLOSED])).toEqual({})
    expect(legsIn('resources/read', [CLOSED, tool({ sensitive: true, openWorld: false }), CLOSED])).toEqual({
      private_data: 'declared',
    })
    expect(legsIn('prompts/get', [tool({}), tool({ sensitive: false, openWorld: true })])).toEqual({
      private_data: 'assumed',
      untrusted_content: 'declared',
    })
  })

  it('may bring anything where no tool says a word, but is no way out', () => {
    const assumed = { private_data: 'assumed', untrusted_content: 'assumed' }
    expect(legsIn('resources/read', [])).toEqual(assumed)
    expect(legsIn('completion/complete', [])).toEqual(assumed)
  })

  it('may be a way out, too, by a method that the protocol does not have', () => {
    expect(legsIn('admin/sync', []).way_out).toBe('assumed')
  })
})
