import { describe, expect, it } from 'vitest'
import { META } from '../../protocol/modern.ts'
import { answeringRoots, capabilitiesWith } from './roots.ts'
import { withRoots } from './with-roots.ts'

const SRV = ['file:///srv']
const EVIL = { roots: [{ uri: 'file:///' }] }
const OPERATORS = { roots: [{ uri: 'file:///srv' }] }
const request = (params: Record<string, unknown>, capabilities = {}) => ({
  method: 'tools/call',
  params,
  envelope: { capabilities },
  timeoutMs: 0,
})

describe('the capabilities for a server', () => {
  it('include roots only if the operator or a single client can name them', () => {
    expect(capabilitiesWith([])).not.toHaveProperty('roots')
    expect(capabilitiesWith(SRV)).toHaveProperty('roots', {})
    expect(capabilitiesWith('client')).toHaveProperty('roots', { listChanged: true })
  })
})

describe('a request to a modern server', () => {
  it('stays unchanged if it has no roots, or the client may declare them', () => {
    const plain = request(
      { name: 'x', _meta: { [META.clientCapabilities]: { sampling: {} } } },
      { sampling: {} },
    )
    expect(withRoots(plain, [])).toBe(plain)
    const said = request({ inputResponses: { a: EVIL } }, { roots: {} })
    expect(withRoots(said, 'client')).toBe(said)
  })

  it('declares only the roots of the operator, in the envelope and in what the client wrote', () => {
    const said = request(
      { _meta: { [META.clientCapabilities]: { roots: { listChanged: true } } } },
      { roots: {} },
    )
    expect(withRoots(said, [])).toMatchObject({
      envelope: { capabilities: {} },
      params: { _meta: { [META.clientCapabilities]: {} } },
    })
    expect(JSON.stringify(withRoots(said, []))).not.toContain('roots')
    expect(withRoots(request({}), SRV).envelope.capabilities).toEqual({ roots: {} })
  })

  it.each(['roots', 'Roots', 'ROOTS', 'root\u017f'])(
    'answers with the roots of the operator, spelt %s or not',
    key => {
      const responses = { a: { [key]: EVIL.roots, more: 1 }, b: { action: 'accept' }, c: 1 }
      for (const name of ['inputResponses', 'InputResponses']) {
        const { params } = withRoots(request({ [name]: responses }), SRV)
        expect(params?.[name]).toEqual({ a: { more: 1, ...OPERATORS }, b: { action: 'accept' }, c: 1 })
      }
    },
  )
})

describe('a question of a modern server', () => {
  const asking = (inputRequests: Record<string, unknown>) => ({
    kind: 'answer' as const,
    message: {
      jsonrpc: '2.0' as const,
      id: 1,
      result: { resultType: 'input_required', inputRequests, requestState: 's' },
    },
  })
  const forRoots = { method: 'roots/list' }

  it('gets the answer from the gateway if it is only about roots', () => {
    const again = answeringRoots(request({ name: 'x', requestState: 'old' }), asking({ r: forRoots }), SRV)
    expect(again?.params).toEqual({ name: 'x', requestState: 's', inputResponses: { r: OPERATORS } })
  })

  it('goes to the client if it is about something else, or the client may declare roots', () => {
    const both = asking({ r: forRoots, q: { method: 'elicitation/create' } })
    expect(answeringRoots(request({}), both, SRV)).toBeUndefined()
    expect(answeringRoots(request({}), asking({}), SRV)).toBeUndefined()
    expect(answeringRoots(request({}), asking({ r: forRoots }), 'client')).toBeUndefined()
    expect(answeringRoots(request({}), { kind: 'timeout' }, SRV)).toBeUndefined()
  })
})
