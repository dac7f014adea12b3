// Checks that dependencies between packages and between the rooms of the gateway point downwards only, and that the check
// itself read the sources.
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { cruiseSources, rooms } from './cruise.mjs'
import { ROOT, say } from './ready.mjs'
import { checkRooms, listImports, listSources } from './rooms.mjs'

const output = await cruiseSources()
const { totalCruised, totalDependenciesCruised, violations } = output.summary
for (const { rule, from, to } of violations) say(`${rule.severity}: ${rule.name}: ${from} → ${to}`)
say(`checked ${totalCruised} modules and ${totalDependenciesCruised} dependencies`)

const crossing = output.modules.filter(({ source, dependencies }) => {
  return (
    source.startsWith('packages/gateway/src') &&
    dependencies.some(to => to.resolved.startsWith('packages/metadata'))
  )
})
const strays = listConsoleImports().filter(({ from }) => !isOfConsole(from))
for (const { file, from } of strays)
  say(`error: the console must use only the admin client: ${file} → ${from}`)
const problems = checkRooms({
  files: listSources(output.modules),
  imports: listImports(output.modules),
  rooms,
  countLines: file => readFileSync(join(ROOT, 'packages/gateway/src', file), 'utf8').split('\n').length - 1,
})
for (const problem of problems) say(`error: rooms: ${problem}`)
const sawNothing = totalCruised < 20 || totalDependenciesCruised < 20 || crossing.length === 0
if (sawNothing) say('error: too few modules; the parser did not read the sources')
process.exitCode = sawNothing || violations.length + strays.length + problems.length > 0 ? 1 : 0

/** The imports of the console, by file. */
function listConsoleImports() {
  const folder = join(ROOT, 'packages/console/src')
  const files = readdirSync(folder, { recursive: true }).filter(file => /\.tsx?$/.test(file))
  if (files.length === 0) throw new Error('found no sources of the console')
  return files.flatMap(file =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import\()\s*'([^']+)'/g)].map(
      ([, from]) => ({
        file,
        from: from.startsWith('.') ? relative(folder, join(folder, dirname(file), from)) : from,
      }),
    ),
  )
}

/** The console may import its own files, libraries, the admin client and the vocabulary. */
function isOfConsole(from) {
  if (from.startsWith('..')) return false
  return !from.startsWith('@hintgate/') || ['@hintgate/gateway/admin', '@hintgate/metadata'].includes(from)
}
