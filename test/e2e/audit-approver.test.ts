import { userInfo } from 'node:os'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { ASKABLE, approve, comeBack, decide, questionOf, waitingFor, YES } from '../support/confirming.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { openWitness } from '../support/witness.ts'

interface Row {
  readonly request: string
  readonly outcome: string
  readonly code?: string
  readonly approval?: string
  readonly approver?: Readonly<Record<string, string>>
}

let gateway: Gateway
beforeAll(async () => {
  const tool = scripted('destroy', { annotations: DESTROYS })
  const server = new ScriptedServer('things', await openWitness(), [tool])
  const confirm = { remember: ['session'] }
  gateway = await startReadyGateway({ confirm, mcpServers: { things: server.config } })
})
afterAll(cleanUp)

async function run(...args: readonly string[]): Promise<string> {
  return (await hintgate([...args, ...gateway.site.flags])).stdout
}

async function open(capabilities = {}): Promise<{ name: string; client: ModernClient }> {
  const { name, token } = await gateway.site.namedToken()
  return { name, client: new ModernClient(gateway.endpoint('things'), token, capabilities) }
}

/** The newest call of an agent. */
async function lastOf(name: string): Promise<Row | undefined> {
  const [row] = (JSON.parse(await run('audit', 'query', '--agent', name, '--json')) as { calls: Row[] }).calls
  return row
}

const BY = `person:${userInfo().username}`
const MOMENT = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)

describe('the person who decided about a call', () => {
  it('is in the record of an approved call, in every view', async () => {
    const { name, client } = await open()
    const { id } = waitingFor(await client.call('destroy', { id: '1' }))
    expect(await run('approvals', 'show', id)).toMatch(/state +waits for an answer\n/)
    await approve(gateway.site, id, '--note', 'after the backup')
    expect(await run('approvals', 'show', id)).toMatch(/state +approved, for one call until /)
    expect(textOf(await client.call('destroy', { id: '1' }))).toContain('1')
    const row = await lastOf(name)
    const approver = { by: BY, via: 'cli', at: MOMENT, note: 'after the backup' }
    expect(row).toMatchObject({ outcome: 'answered', approval: id, approver })
    const whole = await run('audit', 'query', '--request', row?.request ?? '')
    expect(whole).toMatch(new RegExp(`^approver +${BY} via cli at \\S+Z: after the backup$`, 'm'))
    expect(JSON.parse(await run('audit', 'query', '--request', row?.request ?? '', '--json'))).toMatchObject({
      approver,
    })
  })

  it('is shown with the approval after it was used, which is then no longer pending', async () => {
    const { client } = await open()
    const { id } = waitingFor(await client.call('destroy', { id: '2' }))
    await approve(gateway.site, id)
    await client.call('destroy', { id: '2' })
    const shown = await run('approvals', 'show', id)
    expect(shown).toMatch(/state +approved, and used by a call\n/)
    expect(shown).toMatch(new RegExp(`answered +by ${BY} via cli at `))
    expect(shown).not.toMatch(/wait|expires/)
    expect(JSON.parse(await run('approvals', 'show', id, '--json'))).toMatchObject({ state: 'spent' })
  })

  it('is in the record of a denied call', async () => {
    const { name, client } = await open()
    const { id } = waitingFor(await client.call('destroy', { id: '3' }))
    await decide(gateway.site, 'deny', id)
    expect(refusalOf(await client.call('destroy', { id: '3' }))).toBe('confirmation_denied')
    const wanted = { code: 'confirmation_denied', approval: id, approver: { by: BY, via: 'cli', at: MOMENT } }
    await expect.poll(() => lastOf(name)).toMatchObject(wanted)
    expect(await run('approvals', 'show', id)).toMatch(/state +denied until /)
  })

  it('is in the record of each call that a lasting approval covers', async () => {
    const { name, client } = await open()
    const { id } = waitingFor(await client.call('destroy', { id: '4' }))
    await approve(gateway.site, id, '--remember', 'session')
    await client.call('destroy', { id: '4' })
    await client.call('destroy', { id: '5' })
    expect(await lastOf(name)).toMatchObject({ outcome: 'answered', approver: { by: BY, via: 'cli' } })
  })

  it('is the client if the user of the client answered', async () => {
    const { name, client } = await open(ASKABLE)
    const { requestState } = questionOf(await client.call('destroy', { id: '6' }))
    await comeBack(client, { name: 'destroy', args: { id: '6' }, requestState, answer: YES })
    expect(await lastOf(name)).toMatchObject({
      outcome: 'answered',
      approver: { by: `client of agent:${name}`, via: 'input_required' },
    })
  })
})
