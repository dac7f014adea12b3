import { type EffectiveHints, resolveEffective, riskFactorsOf } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import { hintsOfPassage } from './note-passage.ts'

const tool = (hints: object): EffectiveHints =>
  resolveEffective({ declared: { hints: { readOnly: true, ...hints } }, vouched: true })

const CLOSED = tool({ sensitive: false, openWorld: false })
const riskFactorsIn = (method: string, tools: readonly EffectiveHints[]) =>
  riskFactorsOf(hintsOfPassage(method, tools))

describe('what is read beside tools', () => {
  it('brings the worst that a tool of the server says', () => {
    expect(riskFactorsIn('resources/read', [CLOSED])).toEqual({})
    expect(
      riskFactorsIn('resources/read', [CLOSED, tool({ sensitive: true, openWorld: false }), CLOSED]),
    ).toEqual({
      private_data: 'declared',
    })
    expect(riskFactorsIn('prompts/get', [tool({}), tool({ sensitive: false, openWorld: true })])).toEqual({
      private_data: 'assumed',
      untrusted_content: 'declared',
    })
  })

  it('assumes private data and untrusted content, but no external communication, when no tool declares hints', () => {
    const assumed = { private_data: 'assumed', untrusted_content: 'assumed' }
    expect(riskFactorsIn('resources/read', [])).toEqual(assumed)
    expect(riskFactorsIn('completion/complete', [])).toEqual(assumed)
  })

  it('assumes external communication as well for a method that the protocol does not define', () => {
    expect(riskFactorsIn('admin/sync', []).external_communication).toBe('assumed')
  })
})
