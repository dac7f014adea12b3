// Makes a clone ready to run: installs when node_modules is missing or older than the lockfile, then builds
// what is stale. Nothing that it imports has dependencies: it runs before anything is installed.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleWhenStale } from './bundle.mjs'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MODULES = join(ROOT, 'node_modules')
const LOCK = join(ROOT, '.ready-lock')
const NPM_CI = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
const NPM_FAILED = 'npm ci failed: check the network and the registry, then run the same command again'

/** `product` installs what building and running takes; `everything` also the tools that test and check. */
export async function makeReady(scope) {
  checkNode()
  await withLock(async () => {
    // Whoever has the tools that test and check keeps them.
    if (!isInstalled(scope)) await install(existsSync(bin('vitest')) ? 'everything' : scope)
    // TypeScript decides what is stale; when nothing is, it answers in a fraction of a second.
    await run('tsc', ['--build'], 'the build failed: the errors above say where')
    if (isConsoleStale()) await buildConsole()
    await bundleWhenStale(say).catch(error => fail(`the command could not be bundled: ${error.message}`))
  })
}

const CONSOLE = join(ROOT, 'packages/console')
/** What else of ours goes into it. */
const CONSOLE_NEEDS = ['../gateway/dist/admin/client.js', '../metadata/dist/index.js']
const CONSOLE_BUILT = join(ROOT, 'packages/gateway/dist/console/index.html')

/** Whether a file of the console, or of what it is built with, is newer than what was built of them. */
function isConsoleStale() {
  const built = mtime(CONSOLE_BUILT)
  const sources = readdirSync(join(CONSOLE, 'src'), { recursive: true, withFileTypes: true })
  const files = sources.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name))
  const others = ['index.html', 'vite.config.ts', 'package.json', ...CONSOLE_NEEDS].map(name =>
    join(CONSOLE, name),
  )
  return [...files, ...others].some(file => mtime(file) > built)
}

async function buildConsole() {
  say('building the console…')
  const args = ['build', 'packages/console', '--logLevel', 'warn']
  await run('vite', args, 'the console could not be built: the errors above say where')
}

/** Installs a folder that has a lockfile of its own: heavy things that only some commands need. */
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

/** npm writes its own copy of the lockfile last, so an install that was cut short does not count. */
function isInstalled(scope) {
  const installed = mtime(join(MODULES, '.package-lock.json'))
  const isFresh = installed >= mtime(join(ROOT, 'package-lock.json'))
  return isFresh && existsSync(bin(scope === 'everything' ? 'vitest' : 'tsc'))
}

async function install(scope) {
  say(
    `installing what ${scope === 'product' ? 'Hintgate needs to run' : 'building and testing needs'} (npm ci)…`,
  )
  const omit = scope === 'product' ? ['--omit=dev'] : []
  await run('npm', [...NPM_CI, ...omit], NPM_FAILED)
}

/** Runs a program of this project (or of the PATH) and waits for it. */
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

/** Two first commands at once must not install into each other's folder. */
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
    // No pid yet: its owner is just starting, unless the folder has been there for a while.
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
