import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { approve, waitingFor } from '../support/confirming.ts'
import { type Gateway, readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Json, textOf } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { connect, ERAS, EVERYTHING, refusal, searchUrl } from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'

const PAYMENT = {
  type: 'object',
  properties: {
    amount: { type: 'number' },
    urgent: { type: 'boolean' },
    note: { type: 'string' },
    parts: { type: 'array', items: { type: 'object', properties: { cents: { type: 'integer' } } } },
  },
}
const POLICY =
  "rules:\n  - { id: no-thirteen, effect: deny, when: 'has(args.amount) && args.amount == 13.0', reason: Not thirteen. }\n"

let gateway: Gateway
let token: string

beforeAll(async () => {
  const witness = await openWitness()
  const tools = [
    scripted('pay', { inputSchema: PAYMENT, annotations: WRITES }),
    scripted('refund', { inputSchema: PAYMENT, annotations: DESTROYS }),
  ]
  const bank = new ScriptedServer('bank', witness, tools)
  const lax = new ScriptedServer('lax', witness, tools, { more: { checkArguments: false } })
  const site = new Site({
    confirm: {},
    mcpServers: { bank: bank.config, lax: lax.config },
    policies: ['policy.yaml'],
    guardrails: [{ rule: 'max_value', field: 'amount', max: 1000 }],
  })
  writeFileSync(join(site.folder, 'policy.yaml'), POLICY)
  gateway = await startGatewayAt(site)
  await Promise.all(['bank', 'lax'].map(name => gateway.says(readiness(name))))
  token = await gateway.site.token({ permissions: EVERYTHING })
})
afterAll(cleanUp)

const call = async (tool: string, args: Json, era: (typeof ERAS)[number] = 'modern') =>
  (await connect(gateway.endpoint('bank'), token, era)).call(tool, args)

describe('a number or a boolean that is written as text', () => {
  it.each(ERAS)('reaches the server as the value that the schema requires (%s)', async era => {
    const given = { amount: '100', urgent: 'true', note: '100', parts: [{ cents: '5' }, { cents: 6 }] }
    const seen = JSON.parse(textOf(await call('pay', given, era))) as { arguments: Json }
    const parts = [{ cents: 5 }, { cents: 6 }]
    expect(seen.arguments).toEqual({ amount: 100, urgent: true, note: '100', parts })
  })

  it('is named to the agent on the search surface, and the audit log has the value that was sent', async () => {
    const client = await connect(searchUrl(gateway), token)
    const args = { amount: '77.5', note: 'audited' }
    const answer = await client.call('call_tool_write', { name: 'bank:pay', args })
    expect(JSON.stringify(answer.result?._meta)).toContain('\\"amount\\"')
    const { stdout } = await hintgate([
      'audit',
      'query',
      '--json',
      '--tool',
      'bank:pay',
      ...gateway.site.flags,
    ])
    expect(stdout).toMatch(/"amount":\s*77\.5/)
    expect(stdout).not.toContain('"77.5"')
  })

  it('is seen as a number by guardrails and policies', async () => {
    expect(refusal(await call('pay', { amount: '5000' })).code).toBe('guardrail_blocked')
    expect(refusal(await call('pay', { amount: '13' })).code).toBe('policy_denied')
  })

  it('makes the same call as the value itself for approvals', async () => {
    const { id } = waitingFor(await call('refund', { amount: '100' }))
    expect(waitingFor(await call('refund', { amount: 100 })).id).toBe(id)
    expect(waitingFor(await call('refund', { amount: '101' })).id).not.toBe(id)
    await approve(gateway.site, id)
    expect(JSON.parse(textOf(await call('refund', { amount: '100' })))).toMatchObject({
      arguments: { amount: 100 },
    })
  })

  it('is refused if it is not written as JSON writes it', async () => {
    for (const cents of ['1e2', '0100', ' 100', '1.50', 'NaN'])
      expect(refusal(await call('pay', { parts: [{ cents }] }))).toMatchObject({
        code: 'invalid_arguments',
        field: 'parts[0].cents',
      })
  })

  it('stays a text for a server whose arguments are not checked', async () => {
    const client = await connect(gateway.endpoint('lax'), token)
    expect(JSON.parse(textOf(await client.call('pay', { amount: '100' })))).toMatchObject({
      arguments: { amount: '100' },
    })
  })
})
