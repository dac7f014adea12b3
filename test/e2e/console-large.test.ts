import { afterAll, expect, it } from 'vitest'
import { openBrowser, visit } from '../support/browser.ts'
import { cleanUp } from '../support/clean-up.ts'
import { startReadyGateway } from '../support/gateway.ts'
import { ScriptedServer, scripted } from '../support/scripted-server.ts'
import { openWitness } from '../support/witness.ts'

afterAll(cleanUp)

/** For each of two servers, in addition to its `echo`. */
const COUNT = 4999
const nameOf = (index: number): string => `tool_${String(index).padStart(5, '0')}`

/** The duration of most frames while a person scrolls for three seconds. */
const SCROLL = `new Promise(resolve => {
  const end = performance.now() + 3000
  const frames = []
  let last = performance.now()
  const step = now => {
    frames.push(now - last)
    last = now
    scrollBy(0, 300)
    now < end ? requestAnimationFrame(step) : resolve(frames.sort((a, b) => a - b)[Math.floor(frames.length / 2)])
  }
  requestAnimationFrame(step)
})`

it('shows ten thousand tools while rendering only a few rows at a time', async () => {
  const witness = await openWitness()
  const tools = Array.from({ length: COUNT }, (_, index) => scripted(nameOf(index)))
  const configOf = (name: string) => new ScriptedServer(name, witness, tools).config
  const mcpServers = { first: configOf('first'), second: configOf('second') }
  const gateway = await startReadyGateway({ mcpServers })
  const { page, go, problems } = await visit(await openBrowser(), gateway)
  await go('/tools')
  await page.getByText('10,000 tools').waitFor()
  const rows = page.locator('tbody tr')
  await rows.first().waitFor()
  expect(await rows.count()).toBeLessThan(100)

  // Drawn without a graphics card, on a machine that runs other tests as well.
  expect(await page.evaluate<number>(SCROLL)).toBeLessThan(400)
  expect(await rows.count()).toBeLessThan(100)
  expect(await page.getByText(nameOf(0), { exact: true }).count()).toBe(0)

  await page.evaluate('scrollTo(0, 0)')
  await page.getByRole('searchbox').fill(nameOf(4321))
  await page.getByText(nameOf(4321), { exact: true }).first().waitFor()
  await page.getByText('2 tools', { exact: true }).waitFor()
  expect(page.url()).toContain(`query=${nameOf(4321)}`)
  expect(problems).toEqual([])
})
