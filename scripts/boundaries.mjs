// Checks that dependencies point down only, and that the check itself looked at something.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
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
  exclude: { path: '^packages/gateway/bin' },
  doNotFollow: { path: 'node_modules|/dist/' },
}
const RESOLUTION = { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] }

const { output } = await cruise(['packages/*/src', 'bench/src'], OPTIONS, RESOLUTION)
const { totalCruised, totalDependenciesCruised, violations } = output.summary
for (const { rule, from, to } of violations) say(`${rule.severity}: ${rule.name}: ${from} → ${to}`)
say(`looked at ${totalCruised} modules and ${totalDependenciesCruised} dependencies`)

const crossing = output.modules.filter(({ source, dependencies }) => {
  return (
    source.startsWith('packages/gateway/src') &&
    dependencies.some(to => to.resolved.startsWith('packages/metadata'))
  )
})
const sawNothing = totalCruised < 20 || totalDependenciesCruised < 20 || crossing.length === 0
if (sawNothing) say('that is too few: the parser did not read the sources')
process.exitCode = sawNothing || violations.length > 0 ? 1 : 0
