// `node scripts/sbom.mjs`: a bill of materials (CycloneDX 1.6, JSON) of what `npm start` installs, from the lockfile.
//   --out FILE        write it to FILE instead of standard output
//   --lockfile FILE   use another lockfile
// The output contains no time or random number, so the same lockfile gives the same bytes.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLockfile, resolveFrom } from './read-lockfile.mjs'
import { readOptions } from './read-options.mjs'
import { ROOT } from './ready.mjs'

const values = readOptions(import.meta.url, { out: { type: 'string' }, lockfile: { type: 'string' } })
const { packages, places } = readLockfile(values.lockfile)
const { version } = JSON.parse(readFileSync(join(ROOT, 'packages/gateway/package.json'), 'utf8'))
const runtime = packages.filter(({ isRuntime }) => isRuntime)

const encode = name => name.split('/').map(encodeURIComponent).join('/')
const purlOf = ({ name, version: at }) => `pkg:npm/${encode(name)}@${at}`

/** The same package can be installed at several paths, so the path is part of the reference. */
const refOf = one => `${purlOf(one)}#${one.place}`

function hashesOf({ integrity = '' }) {
  return integrity.split(' ').flatMap(text => {
    const [, algorithm, digest] = /^(sha\d+)-(.+)$/.exec(text) ?? []
    if (algorithm === undefined) return []
    const content = Buffer.from(digest, 'base64').toString('hex')
    return [{ alg: algorithm.toUpperCase().replace('SHA', 'SHA-'), content }]
  })
}

function licencesOf({ license }) {
  if (license === undefined) return []
  return [/ (?:OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }]
}

function dependsOn({ place, dependencies = {}, optionalDependencies = {} }) {
  const wanted = Object.keys({ ...dependencies, ...optionalDependencies })
  const found = wanted.map(name => resolveFrom(place, name, places))
  return runtime.filter(one => found.includes(one.place)).map(refOf)
}

const components = runtime.map(one => ({
  type: 'library',
  'bom-ref': refOf(one),
  name: one.name,
  version: one.version,
  scope: one.optional === true ? 'optional' : 'required',
  licenses: licencesOf(one),
  hashes: hashesOf(one),
  purl: purlOf(one),
}))
const digest = createHash('sha256').update(JSON.stringify(components)).digest('hex')
const uuid = [
  digest.slice(0, 8),
  digest.slice(8, 12),
  `5${digest.slice(13, 16)}`,
  `8${digest.slice(17, 20)}`,
  digest.slice(20, 32),
]

const bom = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  serialNumber: `urn:uuid:${uuid.join('-')}`,
  version: 1,
  metadata: {
    component: {
      type: 'application',
      'bom-ref': 'hintgate',
      name: 'hintgate',
      version,
      licenses: [{ license: { id: 'Apache-2.0' } }],
    },
  },
  components,
  dependencies: [
    { ref: 'hintgate', dependsOn: components.map(component => component['bom-ref']) },
    ...runtime.map(one => ({ ref: refOf(one), dependsOn: dependsOn(one) })),
  ],
}

const text = `${JSON.stringify(bom, undefined, 2)}\n`
if (values.out === undefined) process.stdout.write(text)
else writeFileSync(values.out, text)
