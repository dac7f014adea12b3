import { describe, expect, it } from 'vitest'
import { HTTP_METHODS } from '../derive/http-method.ts'
import { SPEC_HINTS } from '../hint/hints.ts'
import { assessTool } from '../record/assess-tool.ts'
import { META_HTTP } from './infer-from-method.ts'

const tool = (method: string, name = 'widget', more: object = {}) => ({
  name,
  ...more,
  _meta: { [META_HTTP]: { method, path: '/widgets' } },
})

describe('the HTTP method of a tool', () => {
  it.each(Object.entries(HTTP_METHODS))(
    'gives %s the hints of the table once vouched for',
    (method, hints) => {
      const { effective } = assessTool(tool(method), { vouched: true })
      for (const hint of SPEC_HINTS)
        expect(effective[hint], hint).toEqual({ value: hints[hint], source: 'inferred' })
    },
  )

  it.each([
    ['GET', 'call_tool_write', 'call_tool_read'],
    ['POST', 'call_tool_write', 'call_tool_write'],
    ['put', 'call_tool_write', 'call_tool_write'],
    ['DELETE', 'call_tool_destructive', 'call_tool_destructive'],
  ])('%s is %s at first, and %s once vouched for', (method, before, after) => {
    expect(assessTool(tool(method)).variant).toBe(before)
    expect(assessTool(tool(method), { vouched: true }).variant).toBe(after)
  })

  it('relaxes nothing that is not vouched for', () => {
    for (const method of Object.keys(HTTP_METHODS)) {
      const { effective } = assessTool(tool(method))
      expect(effective.readOnly.value).toBe(false)
      expect(effective.destructive.value).toBe(true)
      expect(effective.idempotent.value).toBe(false)
      expect(effective.openWorld).toEqual({ value: true, source: 'inferred' })
    }
  })

  it('gives way to words that say more', () => {
    const { effective, variant } = assessTool(
      tool('GET', 'delete_user', { description: 'Deletes a user.' }),
      {
        vouched: true,
      },
    )
    expect(effective.readOnly).toEqual({ value: false, source: 'inferred' })
    expect(effective.destructive).toEqual({ value: true, source: 'inferred' })
    expect(variant).toBe('call_tool_destructive')
  })

  it('gives way to declared hints and overrides', () => {
    const declared = assessTool(tool('POST', 'find_pets', { annotations: { readOnlyHint: true } }), {
      vouched: true,
    })
    expect(declared.effective.readOnly).toEqual({ value: true, source: 'declared' })
    const override = { hints: { readOnly: false }, by: 'ada', at: '2026-11-19' }
    expect(assessTool(tool('GET'), { vouched: true, override }).effective.readOnly.source).toBe('override')
  })

  it('is named as evidence, with the operation', () => {
    const { inferred } = assessTool(tool('GET'))
    expect(inferred.readOnly.evidence[0]).toEqual({ rule: 'method.get', from: 'method', text: 'GET' })
    expect(assessTool(tool('DELETE')).inferred.operations.value).toEqual(['delete'])
  })

  it.each([['BREW'], [7], [undefined]])('has no effect if it is %s', method => {
    const known = assessTool({ name: 'widget' }, { vouched: true })
    const odd = assessTool({ name: 'widget', _meta: { [META_HTTP]: { method } } }, { vouched: true })
    expect(odd.effective).toEqual(known.effective)
  })
})
