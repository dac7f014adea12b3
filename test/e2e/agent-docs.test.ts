import { execFile } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { startReadyGateway } from '../support/gateway.ts'
import { peerFile } from '../support/peers.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const PAGE = readFileSync(join(ROOT, 'docs/agent.md'), 'utf8')
const execute = promisify(execFile)

/** Every block of the page is a module; `// =>` gives the value of the expression before it. */
const blocks = [...PAGE.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, code = '']) => code)

function toModule(code: string): string {
  const lines = code.replaceAll('\n// =>', ' // =>').split('\n')
  const checked = lines.map(line => {
    const [expression = '', expected] = line.split(' // => ')
    return expected === undefined ? line : `assert.deepEqual(${expression}, ${expected})`
  })
  return `import assert from 'node:assert/strict'\n${checked.join('\n')}\nvoid assert\n`
}

let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hintgate-docs-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  const packages = {
    '@hintgate/agent': join(ROOT, 'packages/agent'),
    ai: peerFile('ai'),
    '@openai/agents': peerFile('@openai/agents'),
    '@types/node': join(ROOT, 'node_modules/@types/node'),
  }
  for (const [name, place] of Object.entries(packages)) {
    mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
    symlinkSync(place, join(folder, 'node_modules', name))
  }
  symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'))
  for (const [index, code] of blocks.entries())
    writeFileSync(join(folder, `block-${index}.ts`), toModule(code))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const compilerOptions = {
    composite: false,
    declaration: false,
    outDir: 'out',
    rootDir: '.',
    types: ['node'],
  }
  const more = { lib: ['ES2023', 'DOM', 'DOM.Iterable'], declarationMap: false, sourceMap: false }
  const config = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: { ...compilerOptions, ...more },
    include: ['*.ts'],
  }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
})
afterAll(cleanUp)

describe('docs/agent.md', () => {
  it('has code blocks that type-check', async () => {
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
    const ended = await execute(process.execPath, [tsc, '--project', folder]).catch((error: unknown) => error)
    expect((ended as { stdout: string }).stdout).toBe('')
    expect(readdirSync(join(folder, 'out'))).toHaveLength(blocks.length)
    expect(blocks.length).toBeGreaterThanOrEqual(6)
  })

  it.each(blocks.map((_code, index) => index))('shows the right values in block %i', async index => {
    const file = pathToFileURL(join(folder, 'out', `block-${index}.js`)).href
    const { stderr } = await execute(process.execPath, [fileURLToPath(file)], { cwd: folder })
    expect(stderr).toBe('')
  })

  it('asserts values', () => {
    expect(PAGE.match(/\/\/ =>/g)?.length).toBeGreaterThan(8)
  })
})

describe('the scripted agent', () => {
  const play = async (...flags: readonly string[]): Promise<string> => {
    const script = join(ROOT, 'examples/scripted-agent.mjs')
    return (await execute(process.execPath, [script, ...flags])).stdout
  }

  it('runs its script with a direct server', async () => {
    const refused = await play()
    expect(refused).toContain('notes:delete_note: call_tool_destructive (trusted), Requires confirmation')
    expect(refused).toContain('unattended: notes:search_notes\n')
    expect(refused).toContain('? Delete note: 1\n')
    expect(refused).toContain('confirmation_denied: ')
    expect(refused.split('> notes:search_notes').at(-1)).toContain('Groceries')
    const approved = await play('--yes')
    expect(approved).toContain('{"deleted":true}')
    expect(approved.split('> notes:search_notes').at(-1)).not.toContain('Groceries')
  })

  it('runs the same script through a gateway', async () => {
    const notes = {
      command: process.execPath,
      args: [join(ROOT, 'examples/notes-server.mjs')],
      trust: 'trusted',
    }
    const gateway = await startReadyGateway({ confirm: {}, mcpServers: { notes } })
    const token = await gateway.site.token()
    const played = await play('--yes', '--gateway', gateway.url, '--token', token)
    expect(played).toContain('notes:delete_note: call_tool_destructive (gateway)')
    expect(played.match(/the person says yes/g)).toHaveLength(1)
    expect(played).toContain('{"deleted":true}')
  })
})
