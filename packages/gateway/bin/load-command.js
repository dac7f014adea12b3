// Reading six hundred modules takes most of a start. The build bundles them into a few files, and stores the code that V8
// compiled from those (docs/decisions/0021).
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'

const PACKAGE = fileURLToPath(new URL('../', import.meta.url))
const ENTRY = 'main.cjs'
/** Compiled code works only in the same V8. */
const CODE = `.${process.version}-${process.arch}.code`

/** Loads the bundle of the `hintgate` command, or its modules if the bundle is missing or stale. */
export function loadCommand() {
  const folder = findBundle(PACKAGE)
  return folder === undefined ? import('../dist/cli/main.js') : loadBundle(folder)
}

/**
 * The folder of the current bundle. `dist/bundled/current.json` names it and the state of tsc's output at the time. A
 * published package has no such output and never changes.
 */
export function findBundle(root) {
  const current = readIfAny(join(root, 'dist/bundled/current.json'))
  if (current === undefined) return undefined
  const { folder, madeOf } = JSON.parse(current)
  return madeOf.every(state => isAsItWas(root, state)) ? join(root, 'dist/bundled', folder) : undefined
}

/** Whether nothing was built since. The digest matters only if the time changed without new content. */
function isAsItWas(root, { path, time, digest }) {
  const now = statSync(join(root, path), { throwIfNoEntry: false })
  return now === undefined || now.mtimeMs === time || digestOf(join(root, path)) === digest
}

/** The digest of tsc's build information, which contains a digest of every source. */
export function digestOf(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

/**
 * Runs a bundle with the stored code, or by Node's `require` if there is none. `onCompiled` receives every compiled
 * file, and the path for its code.
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
      // As in Node, the next `require` fails again instead of returning a half-initialised module.
      loaded.delete(name)
      throw error
    }
    return module.exports
  }
  const requireFrom = id => (id.startsWith('./') ? load(id.slice(2)) : requireOther(id))
  return load(ENTRY)
}

/** Whether the code for this Node is stored. The code of the entry is written last. */
export function isPrepared(folder) {
  return existsSync(join(folder, ENTRY + CODE))
}

/** V8 rejects code of another version or with other flags, and compiles again. */
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
