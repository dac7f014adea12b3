// Reading six hundred modules is most of what a start costs. The build puts them into a few files, and keeps what V8
// made of those: docs/decisions/0021.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))
const ENTRY = 'main.cjs'
/** What V8 compiled is of use to the same V8 only. */
const CODE = `.${process.version}-${process.arch}.code`

/** The `hintgate` command: its bundle, or, where that is missing or older than what tsc wrote, the modules themselves. */
export function loadCommand() {
  const folder = findBundle(PACKAGE)
  return folder === undefined ? import('../dist/cli/main.js') : loadBundle(folder)
}

/**
 * The folder of the bundle in use. `dist/bundled/current.json` names it, and the states of tsc's output from which it
 * was made. A published package has no such states, and cannot change either.
 */
export function findBundle(root) {
  const current = readIfAny(join(root, 'dist/bundled/current.json'))
  if (current === undefined) return undefined
  const { folder, madeOf } = JSON.parse(current)
  return madeOf.every(state => isAsItWas(root, state)) ? join(root, 'dist/bundled', folder) : undefined
}

/** Whether nothing was built since. The digest is looked at only where a copy or a build without changes made a new time. */
function isAsItWas(root, { path, time, digest }) {
  const now = statSync(join(root, path), { throwIfNoEntry: false })
  return now === undefined || now.mtimeMs === time || digestOf(join(root, path)) === digest
}

/** Of what tsc keeps about a build: it names every source with a digest of its own. */
export function digestOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/**
 * Runs a bundle with what V8 compiled when it was built, or leaves it to Node where there is no such thing.
 * `onCompiled` hears of every file, and where to keep what V8 made of it.
 */
export function loadBundle(folder, onCompiled) {
  const requireOther = createRequire(join(folder, ENTRY))
  if (onCompiled === undefined && !isPrepared(folder)) return requireOther(`./${ENTRY}`)
  const loaded = new Map()
  const load = name => {
    const known = loaded.get(name)
    if (known !== undefined) return known.exports
    const module = { exports: {} }
    loaded.set(name, module)
    try {
      const file = join(folder, name)
      const run = compile(file, onCompiled).runInThisContext()
      run(module.exports, requireFrom, module, file, folder)
    } catch (error) {
      // As Node does it: whoever asks again is told the same, and is not given half a module.
      loaded.delete(name)
      throw error
    }
    return module.exports
  }
  const requireFrom = id => (id.startsWith('./') ? load(id.slice(2)) : requireOther(id))
  return load(ENTRY)
}

/** Whether this Node has compiled it before. The entry is kept last. */
export function isPrepared(folder) {
  return existsSync(join(folder, ENTRY + CODE))
}

/** V8 does not take what another version, or one with other flags, has compiled; it compiles anew then. */
function compile(file, onCompiled) {
  const source = readFileSync(file, 'utf8')
  const script = new vm.Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    cachedData: readIfAny(file + CODE),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  onCompiled?.({ source, file: file + CODE, script })
  return script
}

function readIfAny(file) {
  try {
    return readFileSync(file)
  } catch {
    return undefined
  }
}
