import { readFileSync } from 'node:fs'
import { later } from './clean-up.ts'
import type { Gateway } from './gateway.ts'
import { hintgate } from './hintgate.ts'
import { PATIENCE_MS } from './patience.ts'
import { peerFile } from './peers.ts'

/** The part of a browser that the tests use; the package is in test/peers, not in our own lockfile. */

interface Locator {
  click(options?: { timeout?: number }): Promise<void>
  fill(text: string): Promise<void>
  waitFor(options?: { state?: 'visible' | 'hidden' | 'attached'; timeout?: number }): Promise<void>
  count(): Promise<number>
  innerText(): Promise<string>
  inputValue(): Promise<string>
  textContent(): Promise<string | null>
  getAttribute(name: string): Promise<string | null>
  isVisible(): Promise<boolean>
  isDisabled(): Promise<boolean>
  first(): Locator
  filter(options: { hasText: string | RegExp }): Locator
  locator(selector: string, options?: { hasText: string | RegExp }): Locator
  getByRole(role: string, options?: { name?: string | RegExp; exact?: boolean }): Locator
  getByText(text: string | RegExp, options?: { exact?: boolean }): Locator
}

export interface Page extends Pick<Locator, 'locator' | 'getByRole' | 'getByText'> {
  goto(url: string): Promise<unknown>
  reload(): Promise<unknown>
  url(): string
  route(pattern: string, handle: (route: { continue(): Promise<void> }) => Promise<void>): Promise<unknown>
  getByLabel(text: string | RegExp, options?: { exact?: boolean }): Locator
  evaluate<T>(work: string | ((given: never) => T | Promise<T>), given?: unknown): Promise<T>
  addScriptTag(script: { content: string }): Promise<unknown>
  emulateMedia(media: { colorScheme: 'light' | 'dark' }): Promise<void>
  setViewportSize(size: { width: number; height: number }): Promise<void>
  readonly keyboard: { press(key: string): Promise<void> }
  on(event: 'console', listener: (message: { type(): string; text(): string }) => void): void
  on(event: 'pageerror', listener: (error: Error) => void): void
  on(event: 'dialog', listener: (dialog: { message(): string; dismiss(): Promise<void> }) => void): void
  on(event: 'request', listener: (request: { url(): string }) => void): void
  on(event: 'response', listener: (response: Response) => void): void
}

interface Response {
  url(): string
  status(): number
  allHeaders(): Promise<Readonly<Record<string, string>>>
  body(): Promise<Buffer>
}

interface Context {
  newPage(): Promise<Page>
  setDefaultTimeout(ms: number): void
  close(): Promise<void>
}

export interface Browser {
  newContext(options: Readonly<Record<string, unknown>>): Promise<Context>
  close(): Promise<void>
}

/** Starts the browser once for each file of tests. */
export async function openBrowser(): Promise<Browser> {
  const launcher = new URL('./chromium.mjs', import.meta.url).href
  const { launchChromium } = (await import(launcher)) as { launchChromium(): Promise<Browser> }
  const browser = await launchChromium()
  later(() => browser.close())
  return browser
}

/** A person at the console, and the problems that their pages had. */
export interface Visitor {
  readonly page: Page
  /** Script errors, violations of the content policy, dialogs, and requests to other origins. */
  readonly problems: string[]
  go(path: string): Promise<void>
}

interface Who {
  readonly role?: 'viewer' | 'approver' | 'operator' | 'admin'
  readonly name?: string
}

export async function consoleLink(
  gateway: Gateway,
  { role = 'admin', name = 'ada' }: Who = {},
): Promise<string> {
  const flags = ['--role', role, '--name', name, '--no-open', '--url', gateway.url]
  const { stdout, stderr } = await hintgate(['console', ...flags, ...gateway.site.flags])
  const link = /http\S+/.exec(stdout)?.[0]
  if (link === undefined) throw new Error(`no link: ${stderr}`)
  return link
}

/** A separate browser context, because cookies are not shared between people. */
export async function visit(browser: Browser, gateway: Gateway, who: Who = {}): Promise<Visitor> {
  const visitor = await openPage(browser, gateway)
  await visitor.page.goto(await consoleLink(gateway, who))
  await visitor.page.getByRole('navigation', { name: 'Pages' }).first().waitFor()
  return visitor
}

/** A page without a sign-in. */
export async function openPage(browser: Browser, gateway: Gateway): Promise<Visitor> {
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1280, height: 900 } })
  // Runs before the gateway stops, which would otherwise wait for the page's event stream.
  later(() => context.close())
  context.setDefaultTimeout(PATIENCE_MS)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('pageerror', error => problems.push(`error: ${error.message}`))
  page.on('console', message => {
    // The browser also logs refusals that the page expects and explains.
    const isExpected = /status of (400|401|403|404|409|410|412|422)\b/.test(message.text())
    if (message.type() === 'error' && !isExpected) problems.push(`console: ${message.text()}`)
  })
  page.on('dialog', dialog => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', request => {
    if (!request.url().startsWith(gateway.url)) problems.push(`request: ${request.url()}`)
  })
  const go = async (path: string): Promise<void> => {
    await page.goto(`${gateway.url}/#${path}`)
    await page.locator('main h1').first().waitFor()
  }
  return { page, problems, go }
}

interface Violation {
  readonly id: string
  readonly impact: string
  readonly help: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** The serious and critical findings of axe. */
export async function findBarriers(page: Page): Promise<readonly string[]> {
  await page.evaluate(readFileSync(peerFile('axe-core/axe.min.js'), 'utf8'))
  const { violations } = await page.evaluate<{ violations: readonly Violation[] }>(
    'axe.run(document, { resultTypes: ["violations"] })',
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, help, nodes }) =>
      nodes
        .slice(0, 3)
        .map(({ html, failureSummary }) => `${id}: ${help}: ${html.slice(0, 200)} ${failureSummary}`),
    )
}
