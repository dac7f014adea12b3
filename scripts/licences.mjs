// `node scripts/licences.mjs`: writes docs/dependencies.md from the lockfile and docs/security/dependencies.json.
//   --check           writes nothing, and fails if the document is stale or if a dependency has no reason, a licence or
//                     install script that is not allowed, or another origin than the registry
//   --lockfile FILE   use another lockfile
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readLockfile, resolveFrom } from './read-lockfile.mjs'
import { readOptions } from './read-options.mjs'
import { ROOT, say } from './ready.mjs'

const values = readOptions(import.meta.url, { check: { type: 'boolean' }, lockfile: { type: 'string' } })
const DOCUMENT = join(ROOT, 'docs/dependencies.md')

const readJson = path => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const { reasons, licences, installScripts } = readJson('docs/security/dependencies.json')
const { allowScripts = {} } = readJson('package.json')
const { packages, workspaces, places } = readLockfile(values.lockfile)
const runtime = packages.filter(({ isRuntime }) => isRuntime)

/** Paths of direct dependencies, with the packages of ours that need them. */
const direct = new Map()
for (const { place, name, dependencies } of workspaces) {
  if (place === 'bench') continue
  for (const wanted of Object.keys(dependencies)) {
    if (wanted.startsWith('@hintgate/')) continue
    const found = resolveFrom(place, wanted, places)
    direct.set(found, [...(direct.get(found) ?? []), name.replace('@hintgate/', '')])
  }
}

/** `MIT OR Apache-2.0` needs one that is allowed, `MIT AND Apache-2.0` both. */
function isAllowed(licence) {
  if (typeof licence !== 'string') return false
  const plain = licence.replaceAll(/[()]/g, '')
  return plain
    .split(' OR ')
    .some(one => one.split(' AND ').every(part => Object.hasOwn(licences, part.trim())))
}

function findProblems() {
  const asked = new Set([...direct.keys()].map(place => packages.find(one => one.place === place)?.name))
  return [
    ...[...asked]
      .filter(name => !reasons[name])
      .map(name => `${name}: dependencies.json gives no reason for it`),
    ...Object.keys(reasons)
      .filter(name => !asked.has(name))
      .map(name => `${name}: dependencies.json gives a reason, but it is not a dependency`),
    ...packages.flatMap(({ name, version, license, hasInstallScript, integrity, resolved }) => [
      ...(isAllowed(license)
        ? []
        : [`${name} ${version}: its licence ${license ?? '(unknown)'} is not allowed`]),
      ...(hasInstallScript && allowScripts[name] !== false && !installScripts[name]
        ? [`${name} ${version}: it has an install script`]
        : []),
      ...(integrity === undefined ? [`${name} ${version}: the lockfile has no integrity for it`] : []),
      ...(resolved === undefined ? [] : [`${name} ${version}: it does not come from the registry`]),
    ]),
    ...Object.entries(allowScripts)
      .filter(([name, isTrue]) => isTrue !== false && !installScripts[name])
      .map(([name]) => `${name}: package.json allows its install script`),
  ]
}

/** The packages that depend on an indirect dependency. */
function findAskers(name) {
  const askers = runtime.filter(({ dependencies = {}, optionalDependencies = {}, peerDependencies = {} }) =>
    [dependencies, optionalDependencies, peerDependencies].some(list => Object.hasOwn(list, name)),
  )
  return [...new Set(askers.map(asker => asker.name))].sort()
}

const row = cells => `| ${cells.join(' | ')} |`
const byName = (a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

function writeDocument() {
  const ours = runtime.filter(({ place }) => direct.has(place)).sort(byName)
  // Each machine installs one binary package, so they are only counted.
  const isPlatform = ({ os, cpu, optional }) => optional === true && (os !== undefined || cpu !== undefined)
  const others = runtime.filter(one => !direct.has(one.place) && !isPlatform(one)).sort(byName)
  const platforms = runtime.filter(one => !direct.has(one.place) && isPlatform(one))
  const used = [...new Set(runtime.map(({ license }) => license))].sort()
  const scripted = packages.filter(({ hasInstallScript }) => hasInstallScript).sort(byName)
  return [
    '# Dependencies',
    '',
    '<!-- Written by scripts/licences.mjs from package-lock.json and docs/security/dependencies.json. -->',
    '',
    'This is everything that `npm start` installs. `npm ci` installs exactly the versions in the lockfile and checks each',
    'hash. A test fails if a package has no reason, a licence that is not allowed, an install script that runs, or',
    'an origin other than the registry. `node scripts/sbom.mjs` prints the same list as CycloneDX.',
    '',
    `## Direct dependencies (${ours.length})`,
    '',
    row(['package', 'version', 'licence', 'used by', 'why']),
    row(['---', '---', '---', '---', '---']),
    ...ours.map(({ name, version, license, place }) =>
      row([name, version, license, [...new Set(direct.get(place))].sort().join(', '), reasons[name] ?? '']),
    ),
    '',
    `## Indirect dependencies (${others.length})`,
    '',
    row(['package', 'version', 'licence', 'for']),
    row(['---', '---', '---', '---']),
    ...others.map(({ name, version, license }) =>
      row([name, version, license, findAskers(name).join(', ') || 'the build']),
    ),
    '',
    `In addition, ${platforms.length} packages contain binaries for one platform each; a machine installs its own.`,
    '',
    '## Licences',
    '',
    ...used.map(licence => `- ${licence}${licences[licence] ? `: ${licences[licence]}` : ''}`),
    '',
    '## Install scripts',
    '',
    'None runs: `allowScripts` in package.json is `false` for each of these packages, and they work without.',
    '',
    ...scripted.map(({ name, version }) => `- ${name} ${version}`),
    '',
  ].join('\n')
}

const problems = findProblems()
for (const problem of problems) say(`error: ${problem}`)
const text = writeDocument()
const isStale = !existsSync(DOCUMENT) || readFileSync(DOCUMENT, 'utf8') !== text
if (!values.check) writeFileSync(DOCUMENT, text)
else if (isStale) say('error: docs/dependencies.md is stale; run node scripts/licences.mjs')
say(`checked ${packages.length} packages, ${runtime.length} of them at run time`)
process.exitCode = problems.length > 0 || packages.length === 0 || (values.check && isStale) ? 1 : 0
