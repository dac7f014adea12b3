import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const GATEWAY = join(ROOT, 'packages/gateway')
const BUILT = 'dist/.tsbuildinfo'
const CODE = `main.cjs.${process.version}-${process.arch}.code`

const folder = mkdtempSync(join(tmpdir(), 'hintgate-bundle-'))
const root = join(folder, 'gateway')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function put(path: string, text: string | Buffer): string {
  const file = join(root, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return file
}

/** The package with a command that only prints what it was loaded from. */
function putPackage(): void {
  rmSync(root, { recursive: true, force: true })
  cpSync(join(GATEWAY, 'bin'), join(root, 'bin'), { recursive: true })
  put('package.json', '{ "type": "module" }')
  put('dist/cli/main.js', "export const main = () => console.log('modules')")
  put('dist/bundled/abc/main.cjs', "exports.main = () => console.log(require('./part.cjs').name)")
  put('dist/bundled/abc/part.cjs', "exports.name = 'bundle'")
  const { mtimeMs: time } = statSync(put(BUILT, 'first'))
  const digest = createHash('sha256').update('first').digest('hex')
  const current = { folder: 'abc', madeOf: [{ path: BUILT, time, digest }] }
  put('dist/bundled/current.json', JSON.stringify(current))
}

function start(...args: string[]): string {
  return execFileSync(process.execPath, [join(root, 'bin/hintgate.js'), ...args], { encoding: 'utf8' }).trim()
}

describe('the hintgate command', () => {
  beforeEach(putPackage)

  it('runs from the bundle', () => {
    expect(start()).toBe('bundle')
  })

  it('runs the modules if tsc built them after the bundle', () => {
    put(BUILT, 'second')
    expect(start()).toBe('modules')
  })

  it('runs from the bundle if a build changed nothing, or all files were copied', () => {
    utimesSync(join(root, BUILT), 1, 1)
    expect(start()).toBe('bundle')
  })

  it('runs from the bundle in a published package, which has no record of a tsc build', () => {
    rmSync(join(root, BUILT))
    expect(start()).toBe('bundle')
  })

  it('runs without a bundle', () => {
    rmSync(join(root, 'dist/bundled'), { recursive: true })
    expect(start()).toBe('modules')
  })

  it('says what to do if nothing was built', () => {
    rmSync(join(root, 'dist'), { recursive: true })
    expect(() => start()).toThrow(/not built yet: run `npm run build`/)
  })

  it.each(['', 'no code at all'])('ignores a compile cache that is %j', text => {
    put(`dist/bundled/abc/${CODE}`, text)
    expect(start()).toBe('bundle')
  })
})

describe('npm run build', () => {
  beforeAll(() => {
    execFileSync(process.execPath, [join(ROOT, 'scripts/build.mjs')], { stdio: 'ignore' })
    rmSync(root, { recursive: true, force: true })
    for (const path of ['bin', 'package.json', 'errors.json', 'dist/bundled'])
      cpSync(join(GATEWAY, path), join(root, path), { recursive: true })
  })

  const current = () =>
    join(root, 'dist/bundled', /"folder": "(\w+)"/.exec(read('dist/bundled/current.json'))?.[1] ?? '')
  const read = (path: string) => readFileSync(join(root, path), 'utf8')

  it('bundles the command, which then runs without its modules', () => {
    expect(start('--version')).toMatch(/^\d+\.\d+\.\d+$/)
    expect(start('explain', 'config_invalid')).toContain('config_invalid')
  })

  it('leaves native code outside, where the command finds it', () => {
    const place = ['--home', join(folder, 'home'), '--config', join(folder, 'hintgate.json')]
    writeFileSync(join(folder, 'hintgate.json'), '{}')
    const env = { ...process.env, NODE_PATH: join(ROOT, 'node_modules') }
    const args = [join(root, 'bin/hintgate.js'), 'tokens', 'list', ...place]
    expect(execFileSync(process.execPath, args, { encoding: 'utf8', env })).toContain('No tokens yet')
  })

  it('stores compiled code that V8 accepts', () => {
    const script = `
      import { loadBundle } from ${JSON.stringify(join(root, 'bin/load-command.js'))}
      loadBundle(${JSON.stringify(current())}, ({ script }) => console.log(script.cachedDataRejected))`
    const args = ['--input-type=module', '--eval', script]
    const lines = execFileSync(process.execPath, args, { encoding: 'utf8' }).trim().split('\n')
    expect(new Set(lines)).toEqual(new Set(['false']))
  })

  it('stores no compiled code of files with outside imports, which Node 20 cannot use', () => {
    const kept = readdirSync(current()).filter(name => name.endsWith('.code'))
    const sources = kept.map(name => readFileSync(join(current(), name.replace(/\.v\d.*/, '')), 'utf8'))
    expect(sources.length).toBeGreaterThan(50)
    expect(sources.filter(text => /\bimport\(/.test(text))).toEqual([])
  })

  it('contains no path of the machine, and all licences', () => {
    const chunks = readdirSync(current()).filter(name => name.endsWith('.cjs'))
    const texts = chunks.map(name => readFileSync(join(current(), name), 'utf8'))
    expect(texts.filter(text => text.includes(ROOT))).toEqual([])
    expect(readFileSync(join(current(), 'LICENCES.txt'), 'utf8')).toMatch(/^zod \S+ \(MIT\)\n\nMIT License/m)
  })
})
