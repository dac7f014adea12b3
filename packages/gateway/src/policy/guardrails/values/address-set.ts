import { compileGlobs } from '../../../scope/match-scope.ts'
import type { Address } from './addresses.ts'

/**
 * Whether an address fits one of many patterns. They are found by their domain, so that a call full of addresses does not
 * cost as much again for each pattern. `*.example.com` stands for everything below it.
 */
export function createAddressSet(patterns: readonly Address[]): (address: Address) => boolean {
  const exact = group(patterns.filter(({ domain }) => !domain.startsWith('*.')))
  const below = group(patterns.filter(({ domain }) => domain.startsWith('*.')))
  // Most endings of a name of a hundred dots are none of a pattern, which their length tells.
  const lengths = new Set(Array.from(below.keys(), domain => domain.length - 1))
  return ({ local, domain }) => {
    if (exact.get(domain)?.(local)) return true
    for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1))
      if (lengths.has(domain.length - dot) && below.get(`*${domain.slice(dot)}`)?.(local)) return true
    return false
  }
}

function group(patterns: readonly Address[]): ReadonlyMap<string, (local: string) => boolean> {
  const locals = new Map<string, string[]>()
  for (const { local, domain } of patterns) {
    const same = locals.get(domain)
    if (same === undefined) locals.set(domain, [local])
    else same.push(local)
  }
  return new Map(Array.from(locals, ([domain, same]) => [domain, compileGlobs(same)]))
}
