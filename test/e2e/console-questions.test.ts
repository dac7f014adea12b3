import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminWith } from '../support/admin.ts'
import { type Browser, openBrowser, visit } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { waitingFor } from '../support/confirming.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { type Message, ModernClient, refusalOf } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { openWitness } from '../support/witness.ts'

let browser: Browser
let gateway: Gateway
let destroy: (id: string, session?: string) => Promise<Message>

beforeAll(async () => {
  browser = await openBrowser()
  const tool = scripted('destroy', { annotations: DESTROYS })
  const server = new ScriptedServer('things', await openWitness(), [tool])
  gateway = await startReadyGateway({
    confirm: { remember: ['arguments', 'rule'] },
    mcpServers: { things: server.config },
  })
  const client = new ModernClient(gateway.endpoint('things'), await gateway.site.token())
  destroy = (id, session = 'main') =>
    client.call('destroy', { id }, { meta: { 'io.hintgate/session': session } })
  const admin = await adminWith(gateway, 'admin')
  for (const session of ['one', 'two', 'three']) {
    const params = { id: waitingFor(await destroy('a', session)).id }
    await admin.decideApproval({ params, body: { decision: 'approve' } })
    expect(refusalOf(await destroy('a', session))).toBeUndefined()
  }
})
afterAll(cleanUp)

describe('the console', () => {
  it('shows who asks, lists lasting approvals, and revokes them', async () => {
    const { page, go, problems } = await visit(browser, gateway)
    await go('/')
    await page.getByText(/3 in 7 days, 100 % approved, 0 denied/).waitFor()
    await page.getByRole('list', { name: 'Rules that ask most' }).getByText('confirm.destructive').waitFor()

    const { id } = waitingFor(await destroy('b'))
    await go(`/approvals/${id}`)
    await page.getByRole('button', { name: 'Approval applies to' }).click()
    await page.getByRole('option', { name: 'Same arguments, for 1 day' }).click()
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await expect.poll(async () => refusalOf(await destroy('b'))).toBeUndefined()
    expect(refusalOf(await destroy('b', 'other'))).toBeUndefined()
    await page.getByRole('radio', { name: 'Lasting' }).click()
    await page.getByText('the same arguments, by').waitFor()
    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('No lasting approvals are in force').waitFor()
    expect(refusalOf(await destroy('b', 'other'))).toBe('confirmation_required')
    expect(problems).toEqual([])
  })

  it('shows a suggested rule with what it allows, and writes it when a person accepts', async () => {
    const { page, go, problems } = await visit(browser, gateway)
    await go('/policies?view=fewer')
    await page.getByText(/when id is "a": 3 questions, all approved/).waitFor()
    await page.getByText(/would newly allow: any number of such calls/).waitFor()
    expect(refusalOf(await destroy('a'))).toBe('confirmation_required')
    await page.getByRole('button', { name: 'Accept' }).first().click()
    await page.getByRole('dialog').getByRole('button', { name: 'Accept rule' }).click()
    await page.getByText('Accepted; the rule is in policies/accepted.yaml').waitFor()
    expect(readFileSync(join(gateway.site.folder, 'policies/accepted.yaml'), 'utf8')).toContain(
      'effect: waive',
    )
    await expect.poll(async () => refusalOf(await destroy('a'))).toBeUndefined()
    expect(problems).toEqual([])
  })
})
