import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, openBrowser, visit } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { Site, startGatewayAt, startReadyGateway } from '../support/gateway.ts'
import { bearer, ModernClient, refusalOf, send, textOf } from '../support/raw-mcp.ts'
import { READS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { EVERYTHING } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let browser: Browser
let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
  browser = await openBrowser()
})
afterAll(cleanUp)

describe('a token', () => {
  it('is shown once when created, works, and stops working when revoked', async () => {
    const server = new ScriptedServer('things', witness, [scripted('look')])
    const gateway = await startReadyGateway({ mcpServers: { things: server.config } })
    const { page, go, problems } = await visit(browser, gateway)
    await go('/agents')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name', { exact: true }).fill('courier')
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = await page.getByRole('dialog').locator('pre').innerText()
    expect(token).toMatch(/^hg_agent_/)
    await page.getByRole('button', { name: 'I have saved the token' }).click()
    await page.getByRole('link', { name: 'courier' }).click()

    const client = new ModernClient(gateway.endpoint('things'), token)
    expect(textOf(await client.call('look', {}))).toContain('look')
    await page.getByRole('heading', { name: 'What can this agent do?' }).waitFor()
    await page
      .getByRole('region', { name: /^read \(2\)/ })
      .getByText('look')
      .waitFor()
    expect(await page.locator('body').innerText()).not.toContain(token)

    await page.getByRole('button', { name: 'Revoke' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await page.getByText('revoked', { exact: true }).waitFor()
    const refused = await send(`${gateway.url}/mcp`, { headers: bearer(token), body: '{}' })
    expect(refused.status).toBe(401)
    expect(problems).toEqual([])
  })
})

const RULES = `rules:
  - id: no-drafts
    effect: deny
    tools: ["things:draft"]
    reason: Drafts are not for agents.
`

const MORE = `  - id: no-writing
    effect: deny
    servers: [things]
    variants: [write]
    reason: Nothing is written today.
`

describe('a policy', () => {
  it('is checked while typing, replayed on recorded calls, saved, and then active', async () => {
    const server = new ScriptedServer('things', witness, [scripted('write', { annotations: WRITES })])
    const site = new Site({ mcpServers: { things: server.config }, policies: ['policies/*.yaml'] })
    const file = join(site.folder, 'policies/house.yaml')
    mkdirSync(join(site.folder, 'policies'))
    writeFileSync(file, RULES)
    const gateway = await startGatewayAt(site)
    await gateway.says(/\bthings is ready/)
    const client = new ModernClient(gateway.endpoint('things'), await site.token({ permissions: EVERYTHING }))
    expect(refusalOf(await client.call('write', { id: 'before' }))).toBeUndefined()

    const { page, go, problems } = await visit(browser, gateway)
    await go('/policies')
    await page.getByText('Drafts are not for agents.').waitFor()
    await go('/policies?view=edit')
    const editor = page.getByRole('textbox')
    const save = page.getByRole('button', { name: 'Save' })
    await editor.fill(`${RULES}  - id: typo\n    effect: refuse\n    reason: x\n`)
    await page
      .getByRole('alert')
      .getByText(/effect/)
      .first()
      .waitFor()
    await editor.fill(RULES + MORE)
    await page.getByText('2 rules, no problems').waitFor()
    expect(await save.getAttribute('disabled')).not.toBeNull()
    await page.getByRole('button', { name: 'Replay recorded calls' }).click()
    await page.getByRole('status').getByText('1 call', { exact: true }).waitFor()
    expect(refusalOf(await client.call('write', { id: 'meanwhile' }))).toBeUndefined()
    await save.click()
    await page.getByText('Saved and active').waitFor()
    expect(readFileSync(file, 'utf8')).toBe(RULES + MORE)
    await expect
      .poll(async () => refusalOf(await client.call('write', { id: 'after' })))
      .toBe('policy_denied')
    expect(problems).toEqual([])
  })
})

const TRIFECTA = [
  scripted('read_mail', {
    annotations: READS,
    _meta: { 'io.hintgate/hints': { sensitiveHint: true, egressHint: false } },
  }),
  scripted('fetch', {
    annotations: { ...READS, openWorldHint: true },
    _meta: { 'io.hintgate/hints': { sensitiveHint: false, egressHint: false } },
  }),
  scripted('post', {
    annotations: { ...WRITES, openWorldHint: true },
    _meta: { 'io.hintgate/hints': { sensitiveHint: false, egressHint: true } },
  }),
]

describe('a session', () => {
  it('fills its diagram, one risk factor after another, as calls arrive', async () => {
    const server = new ScriptedServer('things', witness, TRIFECTA)
    const gateway = await startReadyGateway({
      confirm: { trifecta: 'declared' },
      mcpServers: { things: server.config },
    })
    const token = await gateway.site.token({ permissions: EVERYTHING })
    const client = new ModernClient(gateway.endpoint('things'), token)
    const call = (name: string) => client.call(name, {}, { meta: { 'io.hintgate/session': 'talk' } })
    const { page, go, problems } = await visit(browser, gateway)
    await call('read_mail')
    await go('/sessions')
    await page.getByRole('link', { name: /talk/ }).click()
    await page.locator('main svg[data-risk-factors="1"]').waitFor()
    await call('fetch')
    await page.locator('main svg[data-risk-factors="2"]').waitFor()
    expect(refusalOf(await call('post'))).toBe('confirmation_required')

    await go('/approvals')
    await page.getByText('This session has some of the three risk factors').waitFor()
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('No calls are waiting').waitFor()
    expect(refusalOf(await call('post'))).toBeUndefined()
    await go('/sessions')
    await page.getByRole('link', { name: /talk/ }).click()
    await page.locator('main svg[data-risk-factors="3"]').waitFor()
    await page.getByText('+ external communication').waitFor()
    await page.getByRole('button', { name: 'Reset risk' }).click()
    await page.locator('main svg[data-risk-factors="0"]').waitFor()
    expect(problems).toEqual([])
  })
})
