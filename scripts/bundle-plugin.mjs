// What the modules of the gateway take for granted, and a bundle has to give them: where they lie, and that they load
// some packages late or in another build.
import { relative, sep } from 'node:path'

/** Loaded by a call that cannot wait: chunks of their own, so that nobody reads them before. */
export const OWN_CHUNKS = { undici: 'undici', cockatiel: 'cockatiel' }
/** Native, or installed by whoever wants it. */
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
      if (text.includes('createRequire(')) this.error(`${place}: cannot see what this requires`)
      const late = findLateImport(text)
      if (late !== undefined) this.error(`${place}: ${late}… would warn in a bundle; require it instead`)
      return text === code ? undefined : { code: text, map: null }
    },
  }
}

/** Imported late, and not known to be in the bundle: then Node 20 tells users that loading it is an experiment. */
function findLateImport(text) {
  const found = Array.from(text.matchAll(/\bimport\(\s*(?:['"]([^'"]*)['"])?/g))
  return found.find(([, name]) => name === undefined || OUTSIDE.test(name))?.[0]
}

/** Files are found relative to the module that wants them; it is now in `dist/bundled/FOLDER`. */
function urlOf(place) {
  return `require('node:url').pathToFileURL(require('node:path').join(__dirname, '../..', '${place}')).href`
}
