// Checks that the product imports only packages that `npm start` installs. On a developer's machine, a development
// dependency in the product would build without an error.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join, relative } from 'node:path'
import { ROOT, say } from './ready.mjs'

const IMPORT = /(?:\bfrom |\bimport |\bimport\(|\brequire\()'(@?[a-z][\w@./:-]*)'/g

const readJson = path => JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
const { workspaces, dependencies: ours } = readJson('package.json')

function findForeign(folder) {
  const { name, dependencies = {} } = readJson(`${folder}/package.json`)
  const known = new Set([...builtinModules, ...Object.keys(ours), ...Object.keys(dependencies), name])
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  const listed = execFileSync(tsc, ['--project', folder, '--listFilesOnly'], { cwd: ROOT, encoding: 'utf8' })
  const isProduct = file => file.startsWith(join(ROOT, folder, 'src')) && !file.endsWith('.test.ts')
  const sources = listed.split('\n').filter(isProduct)
  return {
    sources,
    foreign: sources.flatMap(file =>
      [...readFileSync(file, 'utf8').matchAll(IMPORT)]
        .map(([, from]) => from)
        .filter(from => !from.startsWith('node:') && !known.has(packageOf(from)))
        .map(from => `${relative(ROOT, file)} → ${from}`),
    ),
  }
}

function packageOf(specifier) {
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')
}

const found = workspaces.map(findForeign)
const looked = found.reduce((sum, { sources }) => sum + sources.length, 0)
const foreign = found.flatMap(one => one.foreign)
for (const line of foreign) say(`error: npm start does not install the imported package: ${line}`)
say(`checked ${looked} sources of the product`)
if (found.some(({ sources }) => sources.length === 0)) say('error: found no sources of some package')
process.exitCode = foreign.length > 0 || found.some(({ sources }) => sources.length === 0) ? 1 : 0
