import { describe, expect, it } from 'vitest'
import type { Classified } from '../exchange/incoming-call.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { checkArguments } from './match-tool.ts'

const SERVER = { config: { checkArguments: true } } as UpstreamServer
const inputSchema = {
  properties: { id: { type: 'string' }, text: { type: 'string', pattern: '^b+$' } },
  additionalProperties: true,
}
/** More fields than the check has a budget for, and a wrong one behind them. */
const TOO_MUCH = { ...Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 1])), id: 5 }

function check(args: unknown, variant: string, derived = variant) {
  const classified = {
    call: { typed: 's:t', params: { arguments: args } },
    tool: { definition: { name: 't', inputSchema }, assessment: { variant: derived } },
    variant,
  }
  return checkArguments(classified as unknown as Classified, SERVER)
}

describe('an argument that only looks like one of the tool', () => {
  it.each(['ID', 'Id', 'TEXT'])('is refused: %s', key => {
    const refusal = check({ id: 'a', [key]: 'b' }, 'call_tool_read')
    expect(refusal).toMatchObject({ code: 'invalid_arguments', field: key })
    expect(refusal?.message).toContain(`expected the spelling "${key.toLowerCase()}"`)
  })

  it('is one that the tool knows, or that looks like none', () => {
    expect(check({ id: 'a', other: 1, Identity: 2 }, 'call_tool_write')).toBeUndefined()
  })
})

describe('arguments that are too much to be checked', () => {
  it.each(['call_tool_write', 'call_tool_destructive'])('are refused in a %s', variant => {
    const refusal = check(TOO_MUCH, variant)
    expect(refusal).toMatchObject({ code: 'invalid_arguments', verdict: 'deny' })
    expect(refusal?.message).toBe(
      'The arguments of "s:t": they are too much to be checked against the schema.',
    )
  })

  it('are refused where only a pattern could not be tried on a very long text', () => {
    const text = `not at all${'b'.repeat(3_000_000)}`
    expect(check({ id: 'a', text }, 'call_tool_write')?.message).toContain('too much to be checked')
    expect(check({ id: 'a', text: 'not at all' }, 'call_tool_write')?.field).toBe('text')
    expect(check({ id: 'a', text: 'b'.repeat(100_000) }, 'call_tool_write')).toBeUndefined()
  })

  it('pass in a read, where the check is only a service', () => {
    expect(check(TOO_MUCH, 'call_tool_read')).toBeUndefined()
  })

  it('are refused in a dry run of a tool that does more than read', () => {
    expect(check(TOO_MUCH, 'call_tool_read', 'call_tool_destructive')?.code).toBe('invalid_arguments')
  })

  it('are told apart from wrong ones and from right ones', () => {
    expect(check({ id: 5 }, 'call_tool_write')?.field).toBe('id')
    expect(check({ id: 'a' }, 'call_tool_write')).toBeUndefined()
  })
})
