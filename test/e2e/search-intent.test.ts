import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { type Json, type Message, textOf } from '../support/raw-mcp.ts'
import {
  type Client,
  callsSeenBy,
  connect,
  ERAS,
  EVERYTHING,
  type Refusal,
  refusal,
  searchUrl,
} from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const MODES = ['strict', 'warn', 'off'] as const
type Mode = (typeof MODES)[number]

let witness: Witness
const gateways = new Map<Mode, { gateway: Gateway; token: string }>()

beforeAll(async () => {
  witness = await openWitness()
  await Promise.all(
    MODES.map(async mode => {
      const mcpServers = { files: stdioServer(`files-${mode}`, witness) }
      const gateway = await startReadyGateway({ intent: mode, mcpServers })
      gateways.set(mode, { gateway, token: await gateway.site.token({ permissions: EVERYTHING }) })
    }),
  )
})
afterAll(cleanUp)

function at(mode: Mode): { gateway: Gateway; token: string } {
  const found = gateways.get(mode)
  if (found === undefined) throw new Error(`no gateway for ${mode}`)
  return found
}

const open = (mode: Mode, era: (typeof ERAS)[number] = 'modern'): Promise<Client> =>
  connect(searchUrl(at(mode).gateway), at(mode).token, era)

/** The calls that the server of a gateway received. */
async function seenBy(mode: Mode): Promise<readonly string[]> {
  const { gateway, token } = at(mode)
  const direct = await connect(gateway.endpoint(), token)
  const seen = await callsSeenBy(`files-${mode}`, witness, args => direct.call('files__echo', args))
  return seen.map(({ name, arguments: args }) => `${name} ${JSON.stringify(args)}`)
}

const notesOf = (message: Message): readonly string[] | undefined =>
  (message.result?._meta as Record<string, readonly string[]> | undefined)?.['io.hintgate/notes']

interface Claim {
  readonly with: string
  readonly name: string
  readonly says?: 'read' | 'write' | 'destructive'
}

const call = (client: Client, { with: variant, name, says }: Claim, args: Json = {}): Promise<Message> =>
  client.call(variant, {
    name,
    args,
    ...(says === undefined
      ? {}
      : { intent: { operation_type: says, data_sensitivity: 'internal', reason: 'a test' } }),
  })

/** Each claims less than its tool does. */
const TOO_LITTLE: readonly (readonly [by: string, needs: string, claim: Claim])[] = [
  ['variant', 'call_tool_write', { with: 'call_tool_read', name: 'files:write' }],
  ['variant', 'call_tool_destructive', { with: 'call_tool_read', name: 'files:destroy' }],
  ['variant', 'call_tool_destructive', { with: 'call_tool_write', name: 'files:destroy' }],
  [
    'variant',
    'call_tool_destructive',
    { with: 'call_tool_read', name: 'files:destroy', says: 'destructive' },
  ],
  ['intent', 'call_tool_write', { with: 'call_tool_write', name: 'files:write', says: 'read' }],
  ['intent', 'call_tool_destructive', { with: 'call_tool_destructive', name: 'files:destroy', says: 'read' }],
  [
    'intent',
    'call_tool_destructive',
    { with: 'call_tool_destructive', name: 'files:destroy', says: 'write' },
  ],
]

/** Each claims exactly what its tool does. */
const RIGHT: readonly (readonly [answer: string, claim: Claim])[] = [
  ['{"n":1}', { with: 'call_tool_read', name: 'files:echo' }],
  ['{"n":1}', { with: 'call_tool_read', name: 'files:echo', says: 'read' }],
  ['wrote {"n":1}', { with: 'call_tool_write', name: 'files:write' }],
  ['wrote {"n":1}', { with: 'call_tool_write', name: 'files:write', says: 'write' }],
  ['destroyed', { with: 'call_tool_destructive', name: 'files:destroy' }],
  ['destroyed', { with: 'call_tool_destructive', name: 'files:destroy', says: 'destructive' }],
]

/** Each claims more. */
const TOO_MUCH: readonly (readonly [answer: string, claim: Claim])[] = [
  ['{"n":1}', { with: 'call_tool_write', name: 'files:echo' }],
  ['{"n":1}', { with: 'call_tool_destructive', name: 'files:echo' }],
  ['{"n":1}', { with: 'call_tool_read', name: 'files:echo', says: 'destructive' }],
  ['wrote {"n":1}', { with: 'call_tool_destructive', name: 'files:write' }],
  ['wrote {"n":1}', { with: 'call_tool_write', name: 'files:write', says: 'destructive' }],
]

describe.each(ERAS)('a %s client in strict mode', era => {
  it.each(TOO_LITTLE)('with too low a %s cannot call a tool that needs %s: %j', async (by, needs, claim) => {
    const before = await seenBy('strict')
    const client = await open('strict', era)
    const answer = await call(client, claim, { secret: `${era} ${JSON.stringify(claim)}` })
    const { code, variant, verdict, tool, reasons, remedy }: Refusal = refusal(answer)
    expect({ code, variant, verdict, tool }).toEqual({
      code: 'intent_mismatch',
      variant: needs,
      verdict: 'deny',
      tool: claim.name,
    })
    expect(reasons).toMatchObject([
      { rule: `intent.${by}`, source: 'call', text: expect.stringContaining(needs) },
    ])
    expect(remedy).toContain(needs)
    const after = await seenBy('strict')
    expect(after.slice(before.length)).toEqual([])
  })

  it.each(RIGHT)('gets %s without a note: %j', async (answer, claim) => {
    const message = await call(await open('strict', era), claim, { n: 1 })
    expect(textOf(message)).toBe(answer)
    expect(notesOf(message)).toBeUndefined()
  })

  it.each(TOO_MUCH)('gets %s with a note when it claims more: %j', async (answer, claim) => {
    const message = await call(await open('strict', era), claim, { n: 1 })
    expect(textOf(message)).toBe(answer)
    expect(notesOf(message)).toEqual([expect.stringContaining(claim.name)])
    expect(notesOf(message)?.[0]).toContain('more')
  })

  it('cannot run a destructive call in a batch', async () => {
    const before = await seenBy('strict')
    const client = await open('strict', era)
    for (const name of ['files:destroy', 'files:write']) {
      const calls = [
        { name: 'files:echo', args: { beside: name } },
        { name, args: { all: true } },
      ]
      expect(refusal(await client.call('call_tools_read', { calls })).code).toBe('intent_mismatch')
    }
    expect(await seenBy('strict')).toEqual(before)
  })
})

describe('in warn mode', () => {
  it.each(TOO_LITTLE)(
    'too low a %s for a tool that needs %s passes with a note: %j',
    async (_by, needs, claim) => {
      const message = await call(await open('warn'), claim, { n: 1 })
      expect(textOf(message)).toMatch(/^wrote|^destroyed/)
      expect(notesOf(message)).toEqual([expect.stringContaining(needs)])
    },
  )

  it.each(TOO_MUCH)('%s passes with a note when the call claims more: %j', async (answer, claim) => {
    const message = await call(await open('warn'), claim, { n: 1 })
    expect([textOf(message), notesOf(message)?.length]).toEqual([answer, 1])
  })

  it('a token still needs the permission of the tool', async () => {
    const token = await at('warn').gateway.site.token({ permissions: 'read' })
    const before = await seenBy('warn')
    const client = await connect(searchUrl(at('warn').gateway), token)
    const answer = await call(client, { with: 'call_tool_read', name: 'files:destroy' }, { sly: true })
    expect(refusal(answer).code).toBe('permission_denied')
    expect((await seenBy('warn')).slice(before.length).filter(raw => raw.includes('sly'))).toEqual([])
  })
})

describe('with intent switched off', () => {
  it.each([...TOO_LITTLE.map(([, , claim]) => claim), ...TOO_MUCH.map(([, claim]) => claim)])(
    'every claim passes without a note: %j',
    async claim => {
      const message = await call(await open('off'), claim, { n: 1 })
      expect(textOf(message)).toMatch(/^wrote|^destroyed|^\{"n":1\}$/)
      expect(notesOf(message)).toBeUndefined()
    },
  )
})

describe.each(['warn', 'off'] as const)('in mode %s', mode => {
  it('a batch still runs only reads', async () => {
    const before = await seenBy(mode)
    const calls = [{ name: 'files:echo' }, { name: 'files:destroy' }]
    const { code, message } = refusal(await (await open(mode)).call('call_tools_read', { calls }))
    expect(code).toBe('intent_mismatch')
    expect(message).toContain('None of the 2 calls was made')
    expect(await seenBy(mode)).toEqual(before)
  })
})

describe('permission', () => {
  it('is the stricter of the used variant and the tool’s own', async () => {
    const { gateway } = at('off')
    const reader = await connect(searchUrl(gateway), await gateway.site.token({ permissions: 'read' }))
    const writer = await connect(searchUrl(gateway), await gateway.site.token({ permissions: 'write' }))
    const before = (await seenBy('off')).length
    // A writer without the read permission: no permission implies another, so claiming more requires having it.
    expect(textOf(await call(writer, { with: 'call_tool_write', name: 'files:echo' }, { n: 2 }))).toBe(
      '{"n":2}',
    )
    expect(refusal(await call(reader, { with: 'call_tool_write', name: 'files:echo' })).code).toBe(
      'permission_denied',
    )
    expect(refusal(await call(writer, { with: 'call_tool_write', name: 'files:destroy' })).code).toBe(
      'permission_denied',
    )
    expect(refusal(await call(reader, { with: 'call_tool_read', name: 'files:write' })).code).toBe(
      'permission_denied',
    )
    expect((await seenBy('off')).slice(before)).toEqual(['echo {"n":2}'])
  })
})

describe('an edit of the config', () => {
  it('changes the mode of the next call', async () => {
    const mcpServers = { files: stdioServer('files-edited', witness) }
    const gateway = await startReadyGateway({ intent: 'off', mcpServers })
    const client = await connect(searchUrl(gateway), await gateway.site.token({ permissions: EVERYTHING }))
    const claim = { with: 'call_tool_read', name: 'files:write' }
    expect(textOf(await call(client, claim, { n: 1 }))).toBe('wrote {"n":1}')
    gateway.site.configure({ intent: 'strict', mcpServers })
    await gateway.says(/reloaded the configuration/)
    expect(refusal(await call(client, claim, { n: 2 })).code).toBe('intent_mismatch')
    await gateway.stop()
  })
})
