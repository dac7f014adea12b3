import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, findBarriers, openBrowser, openPage, visit } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, readiness, startGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { Liar } from '../support/liar.ts'
import { LegacyClient, ModernClient, refusalOf } from '../support/raw-mcp.ts'
import { DESTROYS, READS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { EVERYTHING } from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'

/** Every known way to turn text into more than text. */
const attack = (where: string): string =>
  `<img src=x onerror="window.hit='${where}'"><svg/onload="window.hit='${where}'"><script>window.hit='${where}'</script>` +
  `"'><iframe src="javascript:parent.hit='${where}'"></iframe>{{hit}}\u202E[a](javascript:hit) ${where}`

const NAME = '<img src=x onerror=hit()>'

let browser: Browser
let gateway: Gateway
let client: ModernClient
const paths: string[] = []

/** A gateway in which all text from outside is an attack. */
beforeAll(async () => {
  const witness = await openWitness()
  const evil = scripted('evil', {
    annotations: { ...DESTROYS, title: attack('annotation title') },
    title: attack('title'),
    description: attack('description'),
    inputSchema: {
      type: 'object',
      properties: { [attack('property')]: { type: 'string', description: attack('parameter') } },
    },
    _meta: { 'io.hintgate/metadata': { action: attack('action') } },
  })
  const failing = scripted('failing', { title: attack('title of failing') }, { does: 'fail' })
  const server = new ScriptedServer('things', witness, [
    evil,
    failing,
    scripted(NAME, { annotations: READS }),
    scripted('result', {}, { result: { content: [{ type: 'text', text: attack('result') }] } }),
  ])
  const held = {
    name: 'held',
    description: attack('held'),
    inputSchema: { type: 'object' },
    annotations: READS,
  }
  const said = {
    pages: [[held, { ...held, name: `${NAME}2` }]],
    prompts: [{ name: 'prompt', description: attack('prompt') }],
    instructions: attack('instructions'),
  }
  const liar = new Liar('liar', witness, [said])
  const down = {
    command: process.execPath,
    args: ['-e', `console.error(${JSON.stringify(attack('stderr'))})`],
  }
  browser = await openBrowser()
  gateway = await startGateway({
    quarantine: true,
    confirm: {},
    mcpServers: { things: server.config, liar: liar.config, down },
  })
  await Promise.all(['things', 'liar'].map(name => gateway.says(readiness(name))))
  const token = await gateway.site.token({ permissions: EVERYTHING })
  client = new ModernClient(gateway.endpoint('things'), token)
  // Prompts and instructions are examined when a client asks for them.
  const reader = await new LegacyClient(gateway.endpoint('liar'), token).initialize()
  await reader.request('prompts/list')
  const meta = { 'io.hintgate/session': attack('session').slice(0, 100) }
  await client.call('evil', { [attack('key')]: attack('argument') }, { meta })
  await client.call('failing', { x: attack('failed argument') }, { meta })
  await client.call('result', {}, { meta })
  await client.call('echo', { x: attack('echoed') })
  paths.push(...(await findPaths()))
})
afterAll(cleanUp)

/** Every page; detail pages show the most hostile item. */
async function findPaths(): Promise<readonly string[]> {
  const { page, go } = await visit(browser, gateway)
  const follow = async (path: string, link: string): Promise<string> => {
    await go(path)
    await page.locator(link).first().click()
    await page.locator('.page-back').waitFor()
    return page.url().split('#')[1] ?? ''
  }
  const review: string[] = []
  await go('/review')
  await page.locator('.review-open').first().waitFor()
  for (let item = 0; item < (await page.locator('.review-open').count()); item++) {
    await page.locator(`.review-item:nth-child(${item + 1}) .review-open`).click()
    await page.locator(`.review-item:nth-child(${item + 1})[data-open="yes"]`).waitFor()
    review.push(page.url().split('#')[1] ?? '')
  }
  return [
    ...review,
    ...['/', '/approvals', '/tools', '/activity', '/activity?view=table', '/sessions', '/servers'],
    ...[
      '/agents',
      '/policies',
      '/policies?view=edit',
      '/policies?view=try',
      '/search?query=evil',
      '/welcome',
    ],
    `/tools/things/${encodeURIComponent(NAME)}`,
    '/tools/things/evil',
    '/servers/down',
    await follow('/activity', '.feed-item:has-text("evil")'),
    await follow('/sessions', '.session-card'),
    await follow('/agents', 'main td a'),
  ]
}

const IN_PAGE =
  'img[src="x"], iframe, script:not([src]), svg[onload], a[href^="javascript"], style:not([data-vite])'

describe('untrusted text', () => {
  it('is shown as plain text on every page and never runs', async () => {
    const { page, go, problems } = await visit(browser, gateway, { name: NAME })
    let shown = ''
    for (const path of paths) {
      await go(path)
      await page.getByRole('status', { name: /Loading/ }).waitFor({ state: 'hidden' })
      await page.evaluate('new Promise(resolve => setTimeout(resolve, 400))')
      shown += await page.locator('main').innerText()
      expect(await page.locator(IN_PAGE).count(), `elements on ${path}`).toBe(0)
      expect(await page.evaluate('window.hit'), `scripts on ${path}`).toBeUndefined()
    }
    expect(problems).toEqual([])
    const places = ['description', 'title', 'argument', 'key', 'property', 'parameter', 'held', 'session']
    for (const where of [...places, 'instructions', 'prompt', 'stderr', 'action'])
      expect(shown, where).toContain(`window.hit='${where}'`)
    expect(shown).toContain(NAME)
  })

  it('is not accepted as the name of an agent', async () => {
    const scope = ['--permissions', 'read', '--servers', '*']
    const { code } = await hintgate(['tokens', 'create', NAME, ...scope, ...gateway.site.flags])
    expect(code).not.toBe(0)
    const { page, go, problems } = await visit(browser, gateway)
    await go('/agents')
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name', { exact: true }).fill(NAME)
    await page.getByRole('button', { name: 'Create token' }).click()
    await page.getByRole('alertdialog').waitFor()
    expect(await page.locator(IN_PAGE).count()).toBe(0)
    expect(problems).toEqual([])
  })

  it('shows hidden characters as marks', async () => {
    const { page, go } = await visit(browser, gateway)
    await go('/tools/things/evil')
    await page.locator('mark.hidden-mark', { hasText: 'RLO' }).first().waitFor()
  })
})

describe('the console page', () => {
  it('has a content security policy that allows nothing inline and nothing from other origins', async () => {
    const response = await fetch(`${gateway.url}/`)
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self'")
    expect(policy).not.toContain('unsafe')
    expect(await response.text()).not.toMatch(/<style|<script(?![^>]*src=)|style="|\son\w+="/)
  })

  it('is small and loads within a second', async () => {
    const folder = fileURLToPath(new URL('../../packages/gateway/dist/console/', import.meta.url))
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name =>
      /\.\w+$/.test(name),
    )
    const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(`${folder}${name}`)).length, 0)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(350 * 1024)
    const { page, go } = await visit(browser, gateway)
    let best = Number.POSITIVE_INFINITY
    for (let turn = 0; turn < 5 && best >= 1000; turn++) {
      await page.reload()
      await go('/')
      const paint = 'performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 1e9'
      best = Math.min(best, await page.evaluate<number>(paint))
    }
    expect(best).toBeLessThan(1000)
  })

  it('has no accessibility violations on any page in either theme', async () => {
    const { page, go } = await visit(browser, gateway)
    const found: string[] = []
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      for (const path of paths) {
        await go(path)
        await page.evaluate('new Promise(resolve => setTimeout(resolve, 300))')
        found.push(...(await findBarriers(page)).map(barrier => `${colorScheme} ${path} ${barrier}`))
      }
    }
    expect(found).toEqual([])
  }, 600_000)

  it('has no accessibility violations on the sign-in page', async () => {
    const { page } = await openPage(browser, gateway)
    await page.goto(gateway.url)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await findBarriers(page)).toEqual([])
  })

  it('fits a phone screen', async () => {
    const { page, go } = await visit(browser, gateway)
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of paths) {
      await go(path)
      await page.evaluate('new Promise(resolve => setTimeout(resolve, 300))')
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      expect(width, `width of ${path}`).toBeLessThanOrEqual(390)
    }
  })
})

const DECIDE = `async id => {
  const answer = await fetch('/api/v1/approvals/' + id + '/decision', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-hintgate-csrf': '1' },
    body: JSON.stringify({ decision: 'approve' }),
  })
  return answer.status
}`

describe('a viewer', () => {
  it('sees waiting calls and cannot approve them, not even through the API', async () => {
    const args = { id: 'looked at' }
    await client.call('evil', args)
    const { page, go } = await visit(browser, gateway, { role: 'viewer', name: 'vera' })
    await go('/approvals')
    await page.getByText('You have read-only access').waitFor()
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    await page.keyboard.press('a')
    const ids = await page.evaluate<readonly string[]>(
      `fetch('/api/v1/approvals').then(r => r.json()).then(({ items }) => items.map(({ id }) => id))`,
    )
    expect(ids.length).toBeGreaterThan(0)
    for (const id of ids) expect(await page.evaluate(`(${DECIDE})(${JSON.stringify(id)})`)).toBe(403)
    expect(refusalOf(await client.call('evil', args))).toBe('confirmation_required')
  })
})
