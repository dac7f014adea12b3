// Reads the results of the suite. Its exit code and ✓ marks do not distinguish a passed scenario from one with only
// skipped checks; its checks.json files do.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** The newest result of every scenario below `folder`, sorted by name. */
export function readScenarios(folder, role) {
  const found = new Map()
  for (const path of findFiles(folder, 'checks.json')) {
    const name = nameScenario(relative(folder, join(path, '..')), role)
    const at = statSync(path).mtimeMs
    if (found.get(name)?.at > at) continue
    found.set(name, { at, name, ...countChecks(JSON.parse(readFileSync(path, 'utf8'))) })
  }
  return [...found.values()].sort((a, b) => a.name.localeCompare(b.name))
}

function findFiles(folder, wanted) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return findFiles(path, wanted)
    return entry.name === wanted ? [path] : []
  })
}

/** `server-tools-list-2026-11-15T20-11-02-123Z` → `tools-list`; only results of servers start with the role. */
function nameScenario(folder, role) {
  const name = folder.replace(/-\d{4}-\d{2}-\d{2}T[\d-]+Z?$/, '')
  return role === 'server' ? name.replace(/^server-(?=.)/, '') : name
}

/** SUCCESS passes, FAILURE fails, WARNING is an unmet SHOULD, INFO is informative. */
function countChecks(checks) {
  const countOf = status => checks.filter(check => check.status === status).length
  const failures = checks.filter(check => check.status === 'FAILURE' || check.status === 'WARNING')
  return {
    passed: countOf('SUCCESS'),
    failed: countOf('FAILURE'),
    warned: countOf('WARNING'),
    skipped: countOf('SKIPPED'),
    failures: failures.map(({ status, id, errorMessage = '' }) => ({ status, id, message: errorMessage })),
  }
}
