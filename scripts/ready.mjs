// Makes a clone ready to run: installs if node_modules is missing or older than the lockfile, then builds what is stale.
// It imports nothing with dependencies, because it runs before anything is installed.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWhenStale } from './bundle.mjs'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const LOCK = join(ROOT, '.ready-lock')
const NPM_CI = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
const NPM_FAILED = 'npm ci failed: check the network and the registry, then run the command again'

/** `product` installs what building and running needs; `everything` also installs the tools for tests and checks. */
export async function makeReady(scope) {
  checkNode()
  await withLock(async () => {
    // Installing only the product would remove the tools for tests and checks.
    if (!isInstalled(scope)) await install(existsSync(bin('vitest')) ? 'everything' : scope)
    // TypeScript decides what is stale. If nothing is, this takes a fraction of a second.
    await run('tsc', ['--build'], 'the build failed: see the errors above')
    if (isConsoleStale()) await buildConsole()
    await bundleWhenStale(say).catch(error => fail(`could not bundle the command: ${error.message}`))
  })
}

const CONSOLE = join(ROOT, 'packages/console')
/** Our other modules that the console contains. */
const CONSOLE_NEEDS = ['../gateway/dist/admin/client.js', '../metadata/dist/index.js']
const CONSOLE_BUILT = join(ROOT, 'packages/gateway/dist/console/index.html')

/** Whether a source of the console or a module that it contains is newer than the build. */
function isConsoleStale() {
  const built = mtime(CONSOLE_BUILT)
  const sources = readdirSync(join(CONSOLE, 'src'), { recursive: true, withFileTypes: true })
  const files = sources.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const others = [
    'index.html',
    'public/service-worker.js',
    'vite.config.ts',
    'package.json',
    ...CONSOLE_NEEDS,
  ].map(name => join(CONSOLE, name))
  return [...files, ...others].some(file => mtime(file) > built)
}

async function buildConsole() {
  say('building the console…')
  const args = ['build', 'packages/console', '--logLevel', 'warn']
  await run('vite', args, 'could not build the console: see the errors above')
}

/** Installs a folder with its own lockfile: large dependencies that only some commands need. */
export async function makeReadyFolder(folder) {
  const cwd = join(ROOT, folder)
  const isFresh = mtime(join(cwd, 'node_modules/.package-lock.json')) >= mtime(join(cwd, 'package-lock.json'))
  if (isFresh) return
  say(`installing ${folder} (npm ci)…`)
  await withLock(() => run('npm', NPM_CI, NPM_FAILED, { cwd }))
}

function checkNode() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNewEnough = major > 20 || (major === 20 && minor >= 19)
  if (!isNewEnough)
    fail(`Hintgate needs Node 20.19 or newer; this is ${process.version}. Install a newer Node.`)
}

/** npm writes its copy of the lockfile last, so an interrupted install does not count. */
function isInstalled(scope) {
  const installed = mtime(join(MODULES, '.package-lock.json'))
  const isFresh = installed >= mtime(join(ROOT, 'package-lock.json'))
  return isFresh && existsSync(bin(scope === 'everything' ? 'vitest' : 'tsc'))
}

async function install(scope) {
  say(
    `installing the dependencies ${scope === 'product' ? 'of Hintgate' : 'for building and testing'} (npm ci)…`,
  )
  const omit = scope === 'product' ? ['--omit=dev'] : []
  await run('npm', [...NPM_CI, ...omit], NPM_FAILED)
}

/** Runs a program of this project or of PATH, and waits for it. */
export function run(program, args, onFailure, options = {}) {
  return new Promise(resolve => {
    const isWindows = process.platform === 'win32'
    const child = spawn(existsSync(bin(program)) ? bin(program) : program, args, {
      cwd: ROOT,
      stdio: 'inherit',
      shell: isWindows,
      ...options,
    })
    child.on('error', error => fail(`${onFailure} (${error.message})`))
    child.on('exit', (code, signal) => (code === 0 ? resolve() : fail(onFailure, signal ? 1 : code)))
  })
}

function bin(name) {
  return join(MODULES, '.bin', process.platform === 'win32' ? `${name}.cmd` : name)
}

function mtime(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

/** Two concurrent commands must not install into the same folder. */
export async function withLock(work) {
  let announced = false
  while (!takeLock()) {
    if (!announced) say('another command is installing or building; waiting for it…')
    announced = true
    await new Promise(resolve => setTimeout(resolve, 200))
  }
  const release = () => rmSync(LOCK, { recursive: true, force: true })
  process.once('exit', release)
  try {
    await work()
  } finally {
    release()
    process.off('exit', release)
  }
}

function takeLock() {
  try {
    mkdirSync(LOCK)
    writeFileSync(join(LOCK, 'pid'), String(process.pid))
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    if (isAbandoned()) rmSync(LOCK, { recursive: true, force: true })
    return false
  }
}

function isAbandoned() {
  try {
    process.kill(Number(readFileSync(join(LOCK, 'pid'), 'utf8')), 0)
    return false
  } catch (error) {
    // Without a pid, its owner is just starting, unless the folder is older.
    if (error.code === 'ENOENT') return Date.now() - mtime(LOCK) > 5000
    return error.code === 'ESRCH'
  }
}

export function say(message) {
  process.stderr.write(`hintgate: ${message}\n`)
}

function fail(message, code = 1) {
  say(message)
  process.exit(code ?? 1)
}
