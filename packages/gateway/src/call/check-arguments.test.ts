import { describe, expect, it } from 'vitest'
import type { Classified } from '../exchange/incoming-call.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { checkArguments } from './match-tool.ts'

const SERVER = { config: { checkArguments: true } } as UpstreamServer
const inputSchema = {
  properties: { id: { type: 'string' }, text: { type: 'string', pattern: '^b+$' } },
  additionalProperties: true,
}
/** Arguments with more fields than the check's budget allows, the last of them wrong. */
const TOO_MUCH = { ...Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 1])), id: 5 }

function check(args: unknown, variant: string, derived = variant) {
  const classified = {
    call: { typed: 's:t', params: { arguments: args } },
    tool: { definition: { name: 't', inputSchema }, assessment: { variant: derived } },
    variant,
  }
  return checkArguments(classified as unknown as Classified, SERVER)
}

describe('an argument whose name only resembles one that the tool has', () => {
  it.each(['ID', 'Id', 'TEXT'])('is refused: %s', key => {
    const refusal = check({ id: 'a', [key]: 'b' }, 'call_tool_read')
    expect(refusal).toMatchObject({ code: 'invalid_arguments', field: key })
    expect(refusal?.message).toContain(`expected the spelling "${key.toLowerCase()}"`)
  })

  it('is accepted if the tool has it, or if it resembles none', () => {
    expect(check({ id: 'a', other: 1, Identity: 2 }, 'call_tool_write')).toBeUndefined()
  })
})

describe('arguments that are too large to check', () => {
  it.each(['call_tool_write', 'call_tool_destructive'])('are refused in a %s', variant => {
    const refusal = check(TOO_MUCH, variant)
    expect(refusal).toMatchObject({ code: 'invalid_arguments', verdict: 'deny' })
    expect(refusal?.message).toBe('The arguments of "s:t": they are too large to check against the schema.')
  })

  it('are refused if a text is too long for a pattern', () => {
    const text = `not at all${'b'.repeat(3_000_000)}`
    expect(check({ id: 'a', text }, 'call_tool_write')?.message).toContain('too large to check')
    expect(check({ id: 'a', text: 'not at all' }, 'call_tool_write')?.field).toBe('text')
    expect(check({ id: 'a', text: 'b'.repeat(100_000) }, 'call_tool_write')).toBeUndefined()
  })

  it('pass in a read', () => {
    expect(check(TOO_MUCH, 'call_tool_read')).toBeUndefined()
  })

  it('are refused in a dry run of a tool that does more than read', () => {
    expect(check(TOO_MUCH, 'call_tool_read', 'call_tool_destructive')?.code).toBe('invalid_arguments')
  })

  it('are refused with a different text from wrong ones', () => {
    expect(check({ id: 5 }, 'call_tool_write')?.field).toBe('id')
    expect(check({ id: 'a' }, 'call_tool_write')).toBeUndefined()
  })
})
