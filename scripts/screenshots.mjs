// Writes docs/images/: every page of the console in both themes, after a day of simulated calls.
//   node scripts/screenshots.mjs [PAGE…]
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { launchChromium } from '../test/support/chromium.mjs'
import { ROOT, say } from './ready.mjs'
import { StoryGateway } from './screenshots/gateway.mjs'
import { shrinkPng } from './screenshots/shrink-png.mjs'
import { AGENTS, tellDay, turnCalendar } from './screenshots/story.mjs'

const FOLDER = process.env.SCREENSHOTS ?? join(ROOT, 'docs/images')
const WIDE = { width: 1280, height: 800 }
const NARROW = { width: 390, height: 844 }
const only = process.argv.slice(2)

/** The name of the image, the path of the page, and an action before the screenshot. */
const PAGES = [
  ['overview', '/'],
  ['approvals', '/approvals', page => page.locator('.inbox-item', { hasText: 'Send' }).first().click()],
  ['review', `/review?item=${encodeURIComponent('tool calendar:create_event')}`],
  ['activity', '/activity'],
  ['activity-table', '/activity?view=table'],
  ['call', '/activity?verdict=deny', page => page.locator('.feed-item').first().click()],
  ['sessions', '/sessions'],
  [
    'session',
    '/sessions',
    page => page.locator('.session-card', { hasText: 'vendor-mails' }).first().click(),
  ],
  ['tools', '/tools'],
  ['tool', '/tools/crm/merge_contacts'],
  ['servers', '/servers'],
  ['server', '/servers/crm'],
  ['add-server', '/servers', page => page.getByRole('button', { name: 'Add server' }).first().click()],
  ['agents', '/agents'],
  ['agent', '/agents/support-agent'],
  ['policies', '/policies'],
  ['policy-edit', '/policies?view=edit', replay],
  ['search', '/search?query=send%20a%20message', page => page.getByText(/^Why/).first().click()],
]

async function replay(page) {
  const editor = page.getByRole('textbox')
  await editor.fill(`${await editor.inputValue()}
  - id: ask-before-writing-files
    effect: confirm
    servers: [files]
    variants: [write]
    reason: A person looks before files change.
`)
  await page.getByRole('button', { name: 'Replay recorded calls' }).click()
  await page.getByText('The verdict on').waitFor()
}

async function shoot(page, { url, name, path, act, theme, size }) {
  await page.setViewportSize(size)
  await page.emulateMedia({ colorScheme: theme })
  await page.goto(`${url}/#${path}`)
  await page.reload()
  await page.locator('h1').first().waitFor()
  await page.waitForLoadState('networkidle').catch(() => {})
  await page.waitForTimeout(350)
  await act?.(page)
  await page.waitForTimeout(act === undefined ? 0 : 500)
  const file = `${name}-${size === WIDE ? theme : `narrow-${theme}`}.png`
  writeFileSync(join(FOLDER, file), shrinkPng(await page.screenshot()))
}

async function visit(browser, { url, link }, pages) {
  const page = await browser.newPage({ viewport: WIDE, timezoneId: 'Europe/Rome', locale: 'en-GB' })
  page.on(
    'console',
    message => message.type() === 'error' && say(`error in the console of the page: ${message.text()}`),
  )
  page.on('pageerror', error => say(`the page failed: ${error.message}`))
  await page.goto(link)
  await page.locator('h1').first().waitFor()
  for (const [name, path, act] of pages) {
    if (only.length > 0 && !only.includes(name)) continue
    for (const theme of ['light', 'dark']) await shoot(page, { url, name, path, act, theme, size: WIDE })
    await shoot(page, { url, name, path, act, theme: 'light', size: NARROW })
    say(`wrote ${name}`)
  }
  await page.close()
}

mkdirSync(FOLDER, { recursive: true })
const browser = await launchChromium()

const first = new StoryGateway({ servers: [] })
const beginning = await first.start()
await visit(browser, beginning, [['welcome', '/']])
await first.stop()

const gateway = new StoryGateway()
gateway.setClock(-25 * 3_600_000)
const tokens = {}
for (const [name, [permissions, servers]] of Object.entries(AGENTS)) {
  const scope = ['--permissions', permissions, '--servers', servers]
  tokens[name] = JSON.parse(
    gateway.run('tokens', 'create', name, ...scope, '--expires', '90d', '--json'),
  ).token
}
const started = await gateway.start()
await new Promise(resolve => setTimeout(resolve, 4000))
await tellDay(gateway, started.url, tokens)
turnCalendar(gateway)
const link = gateway.run('console', '--no-open', '--name', 'grace', '--url', started.url).match(/http\S+/)[0]
const page = await browser.newPage({ locale: 'en-GB' })
await page.goto(link)
await page.locator('h1').first().waitFor()
await page.evaluate(() =>
  fetch('/api/v1/servers/calendar/restart', { method: 'POST', headers: { 'x-hintgate-csrf': '1' } }),
)
await page.waitForTimeout(3000)
await page.close()
const again = gateway.run('console', '--no-open', '--name', 'grace', '--url', started.url).match(/http\S+/)[0]
await visit(browser, { url: started.url, link: again }, PAGES)
await gateway.stop()
await browser.close()
