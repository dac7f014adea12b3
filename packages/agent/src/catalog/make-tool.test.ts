import { describe, expect, it } from 'vitest'
import { define, RULES, toolOf } from '../test-support/make-tools.ts'
import { applyGatewayFacts, readGatewayTool } from './gateway-facts.ts'
import { makeTool } from './make-tool.ts'

const READ = define('look', { readOnly: true })

describe('a trusted server', () => {
  it('has relaxing hints that count, unlike any other server', () => {
    expect(toolOf(READ).variant).toBe('call_tool_read')
    expect(toolOf(READ, { options: { command: 'x' } }).variant).toBe('call_tool_write')
    const { fingerprint } = toolOf(READ)
    expect(toolOf(READ, { options: { command: 'x', approved: [fingerprint] } }).variant).toBe(
      'call_tool_read',
    )
    expect(toolOf(READ, { options: { command: 'x', approved: ['other'] } }).variant).toBe('call_tool_write')
  })

  it('is not trusted for a definition that changed during the session', () => {
    expect(toolOf(READ, { change: { kind: 'new' } })).toMatchObject({
      isVouched: false,
      variant: 'call_tool_write',
    })
  })

  it('ranks below the overrides in the options', () => {
    const options = { command: 'x', overrides: { look: { readOnly: true } } }
    expect(toolOf(define('look'), { options })).toMatchObject({
      variant: 'call_tool_read',
      effective: { readOnly: { value: true, source: 'override' } },
    })
  })
})

describe('a tool behind a gateway', () => {
  const facts = {
    call_with: 'call_tool_read',
    category: 'read',
    confirm: 'always',
    sources: { readOnlyHint: 'override', destructiveHint: 'default' },
  }
  const sent = {
    ...define('notes__delete_note', { readOnly: true, destructive: false }),
    _meta: { 'io.hintgate/effective': facts, 'com.example/kept': 1 },
  }
  const gateway = { gateway: 'http://x', token: 't' }
  const make = (definition: typeof sent) =>
    makeTool(
      { ...readGatewayTool(definition), fingerprint: 'f', change: undefined },
      { options: gateway, profile: 'gateway', rules: RULES, siblings: [] },
    )

  it('has the hints and sources that the gateway sends', () => {
    expect(make(sent)).toMatchObject({
      id: 'notes:delete_note',
      variant: 'call_tool_read',
      category: 'read',
      gatewayAsks: true,
      isVouched: true,
      effective: { readOnly: { value: true, source: 'override' } },
      definition: { name: 'delete_note', _meta: { 'com.example/kept': 1 } },
    })
  })

  it("keeps its fingerprint when only the gateway's rules change", () => {
    const other = {
      ...sent,
      _meta: { ...sent._meta, 'io.hintgate/effective': { ...facts, confirm: 'never' } },
    }
    expect(readGatewayTool(other).definition).toEqual(readGatewayTool(sent).definition)
  })

  it("is untrusted if the gateway's facts are missing or invalid", () => {
    for (const odd of [undefined, 'read', {}, { ...facts, call_with: 'call_tool_anything' }]) {
      const tool = make({ ...sent, _meta: { 'io.hintgate/effective': odd } } as unknown as typeof sent)
      expect(tool.variant).toBe('call_tool_destructive')
      expect(tool.effective.readOnly.value).toBe(false)
    }
  })

  it('ignores a hint without a source', () => {
    const read = readGatewayTool(sent)
    const stranger = toolOf(define('look'), { options: { command: 'x' } })
    const applied = applyGatewayFacts({ ...stranger, declared: { hints: {} }, inferred: {} } as never, {
      ...read,
      facts: { ...facts, sources: {} },
    })
    expect(applied.effective.readOnly).toEqual({ value: false, source: 'default' })
  })
})
