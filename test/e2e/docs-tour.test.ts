import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, it } from 'vitest'
import { listPages, readBlocks } from '../support/doc-blocks.ts'
import { findCommands } from '../support/doc-commands.ts'
import { hintgate } from '../support/hintgate.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const home = mkdtempSync(join(tmpdir(), 'hintgate-tour-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

interface Step {
  readonly words: readonly string[]
  /** The output as the page shows it. */
  readonly told: string
}

/** The commands and outputs of a page, in order. */
function readSteps(page: string): readonly Step[] {
  return readBlocks(page)
    .filter(({ language }) => language === 'console')
    .flatMap(block =>
      block.text
        .split(/^\$ /m)
        .slice(1)
        .map(text => {
          const [line = '', ...told] = text.split('\n')
          const words = findCommands({ ...block, text: line })[0]?.words ?? []
          return { words, told: told.join('\n').trim() }
        }),
    )
}

/** Ids, times and durations differ each time. */
function level(text: string): string {
  return text
    .replaceAll(/ap_\w+/g, 'ap_ID')
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, 'TIME')
    .replaceAll(/ \d+(?:\.\d+)? m?s {2}[\w-]+$/gm, ' 1 ms  REQUEST')
    .trim()
}

/** Runs the commands of a page one after the other, and compares their output with the page. */
async function play(steps: readonly Step[]): Promise<void> {
  const env = { HOME: home, HINTGATE_CONFIG: join(ROOT, 'examples/demo.json') }
  let approval: string | undefined
  for (const { words, told } of steps) {
    const args = words.map(word => (word.startsWith('ap_') ? (approval ?? word) : word))
    const { stdout, stderr } = await hintgate(args, { cwd: ROOT, env })
    approval = /approve (ap_\w+)/.exec(stderr)?.[1] ?? approval
    expect(level(`${stdout}${stderr}`), words.join(' ')).toBe(level(told))
  }
}

it('the tour of the README shows the real output', async () => {
  const steps = readSteps('README.md')
  expect(steps.length).toBeGreaterThan(5)
  await play(steps)
})

it('errors look as on their pages', async () => {
  const pages = listPages().filter(page => page.startsWith('docs/errors/') && readSteps(page).length > 0)
  expect(pages.length).toBeGreaterThan(5)
  for (const page of pages) {
    await play(readSteps(page))
    expect(readSteps(page).at(-1)?.told, page).toContain(`hintgate explain ${page.slice(12, -3)}`)
  }
})
