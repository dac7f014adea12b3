import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminWith, codeOf } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { CLOCK, letAnHourPass } from '../support/clock.ts'
import { ASKABLE, decide, questionOf, waitingFor } from '../support/confirming.ts'
import { type Gateway, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Message, ModernClient, refusalOf } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

interface Scene {
  readonly gateway: Gateway
  readonly site: Site
  readonly server: ScriptedServer
  readonly client: ModernClient
  readonly token: string
}

let scenes = 0

async function play(
  confirm: object = { remember: ['session', 'arguments', 'rule'] },
  answer?: Parameters<typeof scripted>[2],
): Promise<Scene> {
  const tools = [scripted('destroy', { annotations: DESTROYS }, answer)]
  const era = answer === undefined ? 'legacy' : 'modern'
  const server = new ScriptedServer(`l${++scenes}`, witness, tools, { era })
  const site = new Site({ confirm, mcpServers: { s: server.config } })
  const gateway = await startGatewayAt(site, { env: CLOCK })
  await gateway.says(/\bs is ready/)
  const token = await site.token()
  return { gateway, site, server, token, client: new ModernClient(gateway.endpoint('s'), token) }
}

const destroy = ({ client }: Pick<Scene, 'client'>, id: number, session = 'one'): Promise<Message> =>
  client.call('destroy', { id }, { meta: { 'io.hintgate/session': session } })

const asks = async (message: Promise<Message>): Promise<boolean> =>
  refusalOf(await message) === 'confirmation_required'

async function grantsOf(site: Site): Promise<readonly { id: string; state: string; covers: string }[]> {
  const listed = await hintgate(['approvals', 'grants', 'list', '--all', '--json', ...site.flags])
  return JSON.parse(listed.stdout) as { id: string; state: string; covers: string }[]
}

describe('an answer that lasts', () => {
  it('covers the same arguments for a day, and no longer', async () => {
    const scene = await play()
    const { id } = waitingFor(await destroy(scene, 1))
    expect(await decide(scene.site, 'approve', id, '--remember', 'arguments', '--for', '90m')).toMatchObject({
      code: 0,
    })
    expect(await asks(destroy(scene, 1))).toBe(false)
    await letAnHourPass(scene.gateway)
    expect(await asks(destroy(scene, 1, 'another'))).toBe(false)
    expect(await asks(destroy(scene, 2))).toBe(true)
    await letAnHourPass(scene.gateway)
    expect(await asks(destroy(scene, 1))).toBe(true)
  })

  it('is listed, recorded with each call that it covers, and revoked on every gateway from the next call on', async () => {
    const scene = await play()
    const replica = await startGatewayAt(scene.site)
    await replica.says(/\bs is ready/)
    const elsewhere = { client: new ModernClient(replica.endpoint('s'), scene.token) }
    const { id } = waitingFor(await destroy(scene, 1))
    await decide(scene.site, 'approve', id, '--remember', 'arguments', '--for', '1d')
    expect(await asks(destroy(scene, 1))).toBe(false)
    expect(await asks(destroy(elsewhere, 1))).toBe(false)
    const [grant] = await grantsOf(scene.site)
    expect(grant).toMatchObject({ id: expect.stringMatching(/^gr_/), state: 'standing', covers: 'arguments' })
    const revoke = ['approvals', 'grants', 'revoke', grant?.id ?? '', '--by', 'ada', ...scene.site.flags]
    expect(await hintgate(revoke)).toMatchObject({ code: 0 })
    expect(await asks(destroy(scene, 1))).toBe(true)
    expect(await asks(destroy(elsewhere, 1))).toBe(true)
    expect(await grantsOf(scene.site)).toMatchObject([{ id: grant?.id, state: 'revoked' }])
    expect(await hintgate(revoke)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('explain grant_unknown'),
    })

    const log = await hintgate(['audit', 'query', '--json', '--limit', '50', ...scene.site.flags])
    const { calls } = JSON.parse(log.stdout) as {
      calls: { tool: string; agent: string; approval?: string }[]
    }
    const about = calls.filter(({ approval }) => approval === grant?.id).map(({ tool }) => tool)
    expect(about.toSorted()).toEqual(
      ['approvals/granted', 'approvals/revoked', 'destroy', 'destroy'].toSorted(),
    )
    expect(calls.find(({ tool }) => tool === 'approvals/revoked')?.agent).toBe('person:ada')
    expect((await hintgate(['audit', 'verify', ...scene.site.flags])).code).toBe(0)
  })

  it('ends when the definition of the tool or the rules change', async () => {
    const scene = await play()
    const { id } = waitingFor(await destroy(scene, 1))
    await decide(scene.site, 'approve', id, '--remember', 'rule', '--for', '1d')
    expect(await asks(destroy(scene, 2))).toBe(false)
    scene.server.change([scripted('destroy', { annotations: DESTROYS, description: 'Another one.' })])
    await expect.poll(() => asks(destroy(scene, 3))).toBe(true)
  })

  it('covers everything of a rule only for one agent, only if the config permits it, and only from an operator', async () => {
    const scene = await play()
    const admins = await Promise.all(
      (['approver', 'operator'] as const).map(role => adminWith(scene.gateway, role)),
    )
    const [approver, operator] = admins
    const params = { id: waitingFor(await destroy(scene, 1)).id }
    const body = { decision: 'approve', remember: 'rule', for: '2d' } as const
    expect(await codeOf(approver?.decideApproval({ params, body }) ?? Promise.resolve())).toBe(
      'grant_refused',
    )
    expect(
      await codeOf(operator?.decideApproval({ params, body: { ...body, for: '8d' } }) ?? Promise.resolve()),
    ).toBe('grant_refused')
    expect(await asks(destroy(scene, 1))).toBe(true)
    await operator?.decideApproval({ params, body })
    for (const number of [1, 2, 3])
      expect(await asks(destroy(scene, number, `session ${number}`))).toBe(false)
    const other = { client: new ModernClient(scene.gateway.endpoint('s'), await scene.site.token()) }
    expect(await asks(destroy(other, 1))).toBe(true)
    const granted = await operator?.listGrants({ query: {} })
    expect(granted?.items).toMatchObject([{ remembers: 'rule', state: 'standing' }])
    await approver?.revokeGrant({ params: { id: granted?.items[0]?.id ?? '' } })
    expect(await asks(destroy(scene, 4))).toBe(true)

    const strict = await play({ remember: ['arguments'] })
    const { id } = waitingFor(await destroy(strict, 1))
    const refused = await decide(strict.site, 'approve', id, '--remember', 'rule', '--until', '2099-01-01')
    expect(refused).toMatchObject({ code: 10, stderr: expect.stringContaining('explain approval_once') })
  })

  it('covers the answer to a question of the server only for that call, and not after it was revoked', async () => {
    const scene = await play({ remember: ['rule'] }, { does: 'ask' })
    const operator = await adminWith(scene.gateway, 'operator')
    const { id } = waitingFor(await destroy(scene, 1))
    await operator.decideApproval({ params: { id }, body: { decision: 'approve', remember: 'rule' } })
    const client = new ModernClient(scene.gateway.endpoint('s'), scene.token, ASKABLE)
    const answered = { inputResponses: { which: { action: 'accept' } } }
    const ask = async (): Promise<object> => {
      const { result } = await client.call('destroy', { id: 2 })
      return { name: 'destroy', arguments: { id: 2 }, requestState: result?.requestState, ...answered }
    }
    const [first, second] = [await ask(), await ask()]
    const other = { ...first, arguments: { id: 3 } }
    expect(refusalOf(await client.request('tools/call', other))).toBe('confirmation_expired')
    expect(refusalOf(await client.request('tools/call', { ...first }))).toBeUndefined()
    const [grant] = await grantsOf(scene.site)
    await operator.revokeGrant({ params: { id: grant?.id ?? '' } })
    expect(refusalOf(await client.request('tools/call', { ...second }))).toBe('confirmation_expired')
  })

  it('is never offered for a whole rule to the user of the calling client', async () => {
    const scene = await play({ remember: ['rule', 'arguments'] })
    const client = new ModernClient(scene.gateway.endpoint('s'), scene.token, ASKABLE)
    const { schema } = questionOf(await client.call('destroy', { id: 1 }))
    expect(schema).toMatchObject({ properties: { remember: { enum: ['once', 'arguments'] } } })
  })
})
