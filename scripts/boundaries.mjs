// Checks that dependencies point down only, and that the check itself looked at something.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { cruise } from 'dependency-cruiser'
import { ROOT, say } from './ready.mjs'

const OPTIONS = {
  baseDir: ROOT,
  ruleSet: JSON.parse(readFileSync(join(ROOT, 'boundaries.json'), 'utf8')),
  validate: true,
  // TypeScript 7 has no parser that the cruiser could use; without another one it would see nothing.
  parser: 'swc',
  tsPreCompilationDeps: true,
  includeOnly: { path: '^(packages|bench|node_modules)/|^node:' },
  // The parser ends the process at a file with JSX in it; the console is looked at below.
  exclude: { path: '^packages/gateway/bin|^packages/console/' },
  doNotFollow: { path: 'node_modules|/dist/' },
}
const RESOLUTION = { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] }

const CRUISED = ['metadata', 'toolkit', 'agent', 'gateway'].map(name => `packages/${name}/src`)
const { output } = await cruise([...CRUISED, 'bench/src'], OPTIONS, RESOLUTION)
const { totalCruised, totalDependenciesCruised, violations } = output.summary
for (const { rule, from, to } of violations) say(`${rule.severity}: ${rule.name}: ${from} → ${to}`)
say(`looked at ${totalCruised} modules and ${totalDependenciesCruised} dependencies`)

const crossing = output.modules.filter(({ source, dependencies }) => {
  return (
    source.startsWith('packages/gateway/src') &&
    dependencies.some(to => to.resolved.startsWith('packages/metadata'))
  )
})
const strays = listConsoleImports().filter(({ from }) => !isOfConsole(from))
for (const { file, from } of strays) say(`error: the console knows only the admin client: ${file} → ${from}`)
const sawNothing = totalCruised < 20 || totalDependenciesCruised < 20 || crossing.length === 0
if (sawNothing) say('that is too few: the parser did not read the sources')
process.exitCode = sawNothing || violations.length + strays.length > 0 ? 1 : 0

/** What the console imports, file by file. */
function listConsoleImports() {
  const folder = join(ROOT, 'packages/console/src')
  const files = readdirSync(folder, { recursive: true }).filter(file => /\.tsx?$/.test(file))
  if (files.length === 0) throw new Error('there is no console')
  return files.flatMap(file =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(
      ([, from]) => ({
        file,
        from: from.startsWith('.') ? relative(folder, join(folder, dirname(file), from)) : from,
      }),
    ),
  )
}

/** Its own files, libraries, the admin client and the vocabulary; nothing else of ours. */
function isOfConsole(from) {
  if (from.startsWith('..')) return false
  return !from.startsWith('@hintgate/') || ['@hintgate/gateway/admin', '@hintgate/metadata'].includes(from)
}
