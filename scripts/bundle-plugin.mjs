// Adapts the gateway's modules to a bundle: their paths change, and some packages are loaded late or as another build.
import { relative, sep } from 'node:path'

/** Required synchronously and late, so each becomes a chunk of its own. */
export const OWN_CHUNKS = { undici: 'undici', cockatiel: 'cockatiel' }
/** Native or optional packages stay outside of the bundle. */
const OUTSIDE = /^@photostructure\/sqlite$|^pg-native$|^pg-cloudflare$/

export function createPlugin(dist) {
  return {
    name: 'hintgate',
    resolveId(source, importer, { kind }) {
      if (OUTSIDE.test(source)) return { id: source, external: true }
      const isLate = Object.hasOwn(OWN_CHUNKS, source) && kind === 'require-call'
      return isLate && importer?.startsWith(dist) ? { id: `./${source}.cjs`, external: true } : undefined
    },
    transform(code, id) {
      if (!id.startsWith(dist)) return undefined
      const place = relative(dist, id).split(sep).join('/')
      const text = code
        .replace(
          /export const (\{[^}]*\}) = createRequire\(import\.meta\.url\)\('([^']*)'\)/,
          "export $1 from '$2'",
        )
        .replace('const require = createRequire(import.meta.url);', '')
        .replaceAll('import.meta.url', urlOf(place))
      if (text.includes('createRequire(')) this.error(`${place}: unknown require in this module`)
      const late = findLateImport(text)
      if (late !== undefined) this.error(`${place}: ${late}… would warn in a bundle; require it instead`)
      return text === code ? undefined : { code: text, map: null }
    },
  }
}

/** Finds a dynamic import of a module outside of the bundle, for which Node 20 would print an ExperimentalWarning. */
function findLateImport(text) {
  const found = Array.from(text.matchAll(/\bimport\(\s*(?:['"]([^'"]*)['"])?/g))
  return found.find(([, name]) => name === undefined || OUTSIDE.test(name))?.[0]
}

/** Modules find files relative to themselves, but the bundle is in `dist/bundled/FOLDER`. */
function urlOf(place) {
  return `require('node:url').pathToFileURL(require('node:path').join(__dirname, '../..', '${place}')).href`
}
