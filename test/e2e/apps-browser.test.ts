import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startAppHost } from '../support/app-host.ts'
import { type Browser, openBrowser, openPage, type Page } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { PATIENTLY } from '../support/patience.ts'
import { peerFile } from '../support/peers.ts'
import type { Json } from '../support/raw-mcp.ts'

// A real host renders real apps through the gateway: the app bridge of @modelcontextprotocol/ext-apps, unchanged, and
// two of its example servers.

interface Frame extends Pick<Page, 'locator'> {}
interface FramedPage extends Page {
  frameLocator(selector: string): Frame
}

let gateway: Gateway
let browser: Browser
let host: string

const app = (name: string): Json => ({
  command: process.execPath,
  args: [peerFile(`@modelcontextprotocol/server-${name}/dist/index.js`), '--stdio'],
})

beforeAll(async () => {
  gateway = await startReadyGateway({
    mcpServers: { clock: app('basic-vanillajs'), debug: app('debug') },
    // The servers declare no hints, so their tools count as writes.
    confirm: { write: 'never', destructive: 'never', trifecta: 'off' },
  })
  const url = gateway.endpoint()
  const tokenFor = async (servers: string) => ({ url, token: await gateway.site.token({ servers }) })
  host = await startAppHost({
    clock: await tokenFor('clock'),
    debug: await tokenFor('debug'),
    both: await tokenFor('clock,debug'),
  })
  browser = await openBrowser()
})
afterAll(cleanUp)

async function open(server: string, tool: string, mode = 'auto'): Promise<FramedPage> {
  const { page } = await openPage(browser, gateway)
  await page.goto(`${host}/?${new URLSearchParams({ server, tool, mode })}`)
  await expect.poll(() => page.locator('#state').innerText(), PATIENTLY).toMatch(/^(shows|failed)/)
  return page as FramedPage
}

async function callsOf(tool: string): Promise<readonly Json[]> {
  const { stdout } = await hintgate(['audit', 'query', '--json', ...gateway.site.flags])
  return (JSON.parse(stdout) as { calls: Json[] }).calls.filter(call => call.tool === tool)
}

describe.each(['auto', 'legacy'])('a real app in a real host, %s', mode => {
  it('is rendered, and its button calls a tool of its server through the gateway', async () => {
    const page = await open('clock', 'clock__get-time', mode)
    expect(await page.locator('#state').innerText()).toMatch(/^shows ui:\/\/hintgate\/clock\//)
    const frame = page.frameLocator('iframe')
    const button = frame.locator('#get-time-btn')
    await button.waitFor()
    const before = (await callsOf('get-time')).length
    await button.click()
    await expect.poll(async () => (await callsOf('get-time')).length, PATIENTLY).toBe(before + 1)
    expect((await callsOf('get-time'))[0]).toMatchObject({
      server: 'clock',
      door: 'direct',
      typed: 'get-time',
      asker: 'app clock ui://get-time/mcp-app.html',
      outcome: 'answered',
    })
  })
})

it('lets an app call a tool that is only for apps, which the model does not get', async () => {
  const page = await open('debug', 'debug__debug-tool')
  const state = await page.locator('#state').innerText()
  expect(state).toContain('debug__debug-tool')
  expect(state).not.toContain('debug-refresh')
  const button = page.frameLocator('iframe').locator('#call-debug-refresh-btn')
  await button.waitFor()
  await button.click()
  await expect
    .poll(() => callsOf('debug-refresh'), PATIENTLY)
    .toContainEqual(
      expect.objectContaining({ outcome: 'answered', asker: 'app debug ui://debug-tool/mcp-app.html' }),
    )
})

it('does not let an app call tools that are only for apps where two servers have apps', async () => {
  const page = await open('both', 'debug__debug-tool')
  const before = (await callsOf('debug-refresh')).filter(({ server }) => server === 'debug').length
  const button = page.frameLocator('iframe').locator('#call-debug-refresh-btn')
  await button.waitFor()
  await button.click()
  await expect
    .poll(() => callsOf('debug-refresh'), PATIENTLY)
    .toContainEqual(expect.objectContaining({ server: '', outcome: 'refused', code: 'unknown_tool' }))
  const after = (await callsOf('debug-refresh')).filter(({ server }) => server === 'debug').length
  expect(after).toBe(before)
})
