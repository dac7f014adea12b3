// Bundles the modules of the `hintgate` command into a few files, so that a start does not read six hundred
// (docs/decisions/0021).
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { digestOf, findBundle, isPrepared } from '../packages/gateway/bin/load-command.js'
import { gatherLicences } from './bundle-licences.mjs'
import { createPlugin, OWN_CHUNKS } from './bundle-plugin.mjs'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
const GATEWAY = join(ROOT, 'packages/gateway')
const DIST = join(GATEWAY, 'dist')
const BUNDLED = join(DIST, 'bundled')
const CURRENT = join(BUNDLED, 'current.json')
/** The build information of tsc, relative to the gateway's package. */
const BUILDS = ['dist/.tsbuildinfo', '../metadata/dist/.tsbuildinfo']
/** Other inputs of a bundle. */
const OTHERS = [
  'scripts/bundle.mjs',
  'scripts/bundle-plugin.mjs',
  'scripts/prepare-bundle.mjs',
  'package-lock.json',
]
/** A running gateway may still load parts of an older bundle. */
const KEEP_MS = 60 * 60_000
const PREPARE_MS = 60_000
const DOUBTS = new Set(['UNRESOLVED_IMPORT', 'IMPORT_IS_UNDEFINED', 'EMPTY_IMPORT_META', 'MISSING_EXPORT'])

/** The caller must hold the lock of `ready.mjs`. */
export async function bundleWhenStale(say) {
  if (isFresh()) return
  say('bundling the command…')
  // Recorded before bundling, so that a concurrent build makes the bundle stale.
  const madeOf = BUILDS.map(path => stateOf(path))
  const chunks = await bundle()
  const name = nameOf(chunks)
  const folder = join(BUNDLED, name)
  if (!existsSync(folder)) write(folder, chunks)
  if (!isPrepared(folder)) prepare(folder, say)
  retire(name)
  replace(CURRENT, `${JSON.stringify({ folder: name, madeOf }, null, 2)}\n`)
}

function isFresh() {
  const made = statSync(CURRENT, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (OTHERS.some(path => statSync(join(ROOT, path)).mtimeMs > made)) return false
  const folder = findBundle(GATEWAY)
  return folder !== undefined && isPrepared(folder)
}

function stateOf(path) {
  const file = join(GATEWAY, path)
  return { path, time: statSync(file).mtimeMs, digest: digestOf(file) }
}

async function bundle() {
  const { rolldown } = await import(findRolldown())
  const input = { main: join(DIST, 'cli/main.js'), ...OWN_CHUNKS }
  const plugins = [createPlugin(DIST)]
  const made = await rolldown({
    cwd: ROOT,
    input,
    plugins,
    platform: 'node',
    // ES modules of a package can be tree-shaken.
    resolve: { mainFields: ['module', 'main'] },
    onLog: refuseDoubts,
  })
  const names = { entryFileNames: '[name].cjs', chunkFileNames: '[name]-[hash].cjs' }
  const comments = { jsdoc: false }
  const { output } = await made.generate({ format: 'cjs', comments, ...names })
  await made.close()
  return output
}

/** Uses the Rolldown of Vite, which is installed for the console. */
function findRolldown() {
  const vite = createRequire(join(ROOT, 'packages/console/')).resolve('vite')
  return pathToFileURL(createRequire(vite).resolve('rolldown')).href
}

/** These warnings of the bundler would become errors at run time. */
function refuseDoubts(_level, { code, message }) {
  if (DOUBTS.has(code)) throw new Error(message)
}

function nameOf(chunks) {
  const hash = createHash('sha256')
  for (const { fileName, code } of chunks) hash.update(`${fileName}\n${code}\n`)
  return hash.digest('hex').slice(0, 16)
}

/** Written atomically. */
function write(folder, chunks) {
  const draft = `${folder}.${process.pid}`
  mkdirSync(draft, { recursive: true })
  for (const { fileName, code } of chunks) writeFileSync(join(draft, fileName), code)
  const modules = chunks.flatMap(chunk => Object.keys(chunk.modules))
  writeFileSync(join(draft, 'LICENCES.txt'), gatherLicences(modules))
  renameSync(draft, folder)
}

/** Runs in its own process, because it starts a gateway. If that fails, V8 compiles the code at the first start. */
function prepare(folder, say) {
  const args = [join(ROOT, 'scripts/prepare-bundle.mjs'), folder]
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: PREPARE_MS })
  if (!isPrepared(folder))
    say(`could not prepare the bundle, so every start takes a little longer: ${stderr.trim()}`)
}

function replace(file, text) {
  writeFileSync(`${file}.${process.pid}`, text)
  renameSync(`${file}.${process.pid}`, file)
}

/** Marks the bundle in use until now, and removes those that have been unused for a while. */
function retire(next) {
  const others = readdirSync(BUNDLED, { withFileTypes: true })
    .filter(entry => entry.isDirectory() && entry.name !== next)
    .map(entry => join(BUNDLED, entry.name))
  const now = new Date()
  for (const folder of others) {
    if (folder === findCurrent()) utimesSync(folder, now, now)
    else if (now.getTime() - statSync(folder).mtimeMs > KEEP_MS)
      rmSync(folder, { recursive: true, force: true })
  }
}

function findCurrent() {
  if (!existsSync(CURRENT)) return undefined
  return join(BUNDLED, JSON.parse(readFileSync(CURRENT, 'utf8')).folder)
}
