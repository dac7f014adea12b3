import { type EffectiveHints, resolveEffective, riskFactorsOf } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import { hintsOfRequest } from './note-request.ts'

const tool = (hints: object): EffectiveHints =>
  resolveEffective({ declared: { hints: { readOnly: true, ...hints } }, vouched: true })

const CLOSED = tool({ sensitive: false, openWorld: false })
const riskFactorsIn = (method: string, tools: readonly EffectiveHints[]) =>
  riskFactorsOf(hintsOfRequest(method, tools))

describe('a request other than a tool call', () => {
  it("counts as the strictest of its server's tools", () => {
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
