import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Finished, hintgate } from '../support/hintgate.ts'
import { address, run } from '../support/processes.ts'
import type { Json } from '../support/raw-mcp.ts'
import { type Generation, SDK_V1, SDK_V2_AUTO } from '../support/sdk-clients.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'hintgate-new-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterAll(cleanUp)

const within = (...path: string[]): string => join(folder, ...path)
const make = (...args: string[]): Promise<Finished> => hintgate(['new', ...args], { cwd: folder })

/** Does the work of `npm install` without a registry. */
function install(name: string): void {
  const packages = ['@hintgate/toolkit', 'zod', '@types/node']
  for (const one of packages) {
    const place = within(name, 'node_modules', one)
    mkdirSync(dirname(place), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules', one), place)
  }
}

function execute(args: readonly string[], cwd: string): Promise<Finished> {
  return new Promise(resolve => {
    // Otherwise the inner test runner would report to the outer one.
    const env = { ...process.env, NODE_TEST_CONTEXT: undefined }
    execFile(process.execPath, [...args], { cwd, env }, (error, stdout, stderr) =>
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, stdout, stderr }),
    )
  })
}

const testIt = (name: string): Promise<Finished> => execute(['--test'], within(name))

/** The type errors that an editor would show. The project has no build step. */
function checkTypes(name: string): Promise<Finished> {
  const tsc = join(ROOT, 'node_modules/typescript/bin/tsc')
  const flags = '--noEmit --allowJs --strict --skipLibCheck --module NodeNext --target ES2023 --types node'
  return execute([tsc, ...flags.split(' '), 'src/main.js', 'test/toolkit.test.js'], within(name))
}

function edit(name: string, from: string, to: string): void {
  const path = within(name, 'src/toolkit.js')
  const text = readFileSync(path, 'utf8')
  expect(text).toContain(from)
  writeFileSync(path, text.replace(from, to))
}

describe('a new server', () => {
  let made: Finished
  let tested: Finished
  let seconds: number

  beforeAll(async () => {
    const start = performance.now()
    made = await make('tasks')
    install('tasks')
    tested = await testIt('tasks')
    seconds = (performance.now() - start) / 1000
  })

  it('has passing tests in under a minute', () => {
    expect(made.code).toBe(0)
    expect(tested).toMatchObject({ code: 0, stdout: expect.stringMatching(/^# pass 4$/m) as string })
    expect(seconds).toBeLessThan(60)
  })

  it('comes with the next commands', () => {
    for (const line of [
      '  cd tasks\n',
      '  npm install\n',
      '  npm test',
      'hintgate servers add tasks -- node ',
    ])
      expect(made.stdout).toContain(line)
  })

  it('can be added to a gateway with the printed command', async () => {
    const line = /hintgate (servers add .*)$/m.exec(made.stdout)?.[1]?.split(' ') ?? []
    const config = within('hintgate.json')
    writeFileSync(config, '{ "mcpServers": {} }')
    const [noun = '', verb = '', ...rest] = line
    const added = await hintgate([noun, verb, '--config', config, ...rest])
    expect(added).toMatchObject({ code: 0, stderr: '' })
    const written = JSON.parse(readFileSync(config, 'utf8')) as { mcpServers: Json }
    expect(written.mcpServers.tasks).toMatchObject({ command: 'node', args: [within('tasks/src/main.js')] })
  })

  it('declares its dependencies and its name', () => {
    const manifest = JSON.parse(readFileSync(within('tasks/package.json'), 'utf8')) as Json
    const toolkit = JSON.parse(readFileSync(join(ROOT, 'packages/toolkit/package.json'), 'utf8')) as Json
    expect(manifest).toMatchObject({
      name: 'tasks',
      dependencies: { '@hintgate/toolkit': `^${String(toolkit.version)}` },
    })
    expect(readFileSync(within('tasks/.gitignore'), 'utf8')).toContain('node_modules')
    expect(readFileSync(within('tasks/README.md'), 'utf8')).not.toContain('{{')
  })

  it.each<[string, Generation, 'stdio' | 'http']>([
    ['SDK v1 over stdio', SDK_V1, 'stdio'],
    ['SDK v2 over stdio', SDK_V2_AUTO, 'stdio'],
    ['SDK v2 over HTTP', SDK_V2_AUTO, 'http'],
  ])('serves a real client: %s', async (_name, generation, transport) => {
    const main = within('tasks/src/main.js')
    const client = await generation.create({ capabilities: {} })
    await client.connect(
      transport === 'stdio'
        ? await generation.stdio(process.execPath, [main])
        : await generation.http(await address(run(process.execPath, [main, '--port', '0'])), 'none'),
    )
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'delete_task')?.annotations).toEqual({
      title: 'Delete task',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    })
    const added = await client.callTool({ name: 'add_task', arguments: { title: 'Buy stamps' } })
    const listed = await client.callTool({ name: 'list_tasks', arguments: {} })
    const { id } = added.structuredContent as Json
    expect(listed.structuredContent).toEqual({ tasks: [{ id, title: 'Buy stamps', isDone: false }] })
  })

  it('declares every hint, without errors from lint', async () => {
    const { code, stdout } = await hintgate(['lint', `node ${within('tasks/src/main.js')}`])
    expect(stdout).toContain('coverage 100 % of hints declared')
    expect(code).toBe(0)
  })

  it('type-checks without a build step', async () => {
    expect(await checkTypes('tasks')).toEqual({ code: 0, stdout: '', stderr: '' })
  })

  it('rejects contradicting hints by types and at the start', async () => {
    await make('contradicting')
    install('contradicting')
    edit(
      'contradicting',
      "preset: 'append',",
      "preset: 'search',\n      behavior: { operations: ['create'] },",
    )
    expect((await checkTypes('contradicting')).stdout).toContain('readonly-mutates')
    const started = await execute(['src/main.js'], within('contradicting'))
    expect(started.code).not.toBe(0)
    expect(started.stderr).toContain('readonly-mutates')
  })

  it('has tests that fail for a wrong hint', async () => {
    await make('lying')
    install('lying')
    edit('lying', "preset: 'append'", "preset: 'search'")
    const { code, stdout } = await testIt('lying')
    expect(code).toBe(1)
    expect(stdout).toContain('a read-only tool changed the state')
  })
})

describe('hintgate new', () => {
  it('refuses an existing folder and leaves it unchanged', async () => {
    mkdirSync(within('taken'))
    mkdirSync(within('full'))
    writeFileSync(within('full/package.json'), 'mine')
    writeFileSync(within('file'), 'mine')
    for (const name of ['taken', 'full', 'file']) {
      const { code, stdout, stderr } = await make(name)
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
      expect(stderr).toContain('already exists')
    }
    expect(readFileSync(within('full/package.json'), 'utf8')).toBe('mine')
    expect(readFileSync(within('file'), 'utf8')).toBe('mine')
    expect(existsSync(within('taken/package.json'))).toBe(false)
  })

  it.each(['../up', 'Upper', '.', 'node_modules', 'a b'])('refuses the name %s', async name => {
    const { code, stderr } = await make(name)
    expect(code).toBe(2)
    expect(stderr).toContain('is not a valid package name')
  })

  it('lists the created files as JSON', async () => {
    const { code, stdout } = await make('data', '--json')
    expect(code).toBe(0)
    const said = JSON.parse(stdout) as { folder: string; files: string[] }
    expect(said).toMatchObject({
      name: 'data',
      template: 'server',
      next: ['cd data', 'npm install', 'npm test'],
    })
    expect(said.files).toEqual([
      '.gitignore',
      'README.md',
      'package.json',
      'src/main.js',
      'src/toolkit.js',
      'test/toolkit.test.js',
    ])
    for (const file of said.files) expect(existsSync(join(said.folder, file)), file).toBe(true)
  })

  it('names the templates on wrong usage', async () => {
    const { code, stderr } = await make('other', '--template', 'nothing')
    expect(code).toBe(2)
    expect(stderr).toContain('server')
    expect(existsSync(within('other'))).toBe(false)
  })

  it('shows an example in --help', async () => {
    const { code, stdout } = await make('--help')
    expect(code).toBe(0)
    expect(stdout).toContain('$ hintgate new tasks')
  })
})
