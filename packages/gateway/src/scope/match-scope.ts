import type { CallVariant } from '@hintgate/metadata'
import type { Scope } from './scope.ts'

export function mayUseServer(scope: Scope, server: string): boolean {
  return scope.servers.some(glob => matchesGlob(glob, server))
}

/**
 * Whether the scope includes a tool. A pattern with a colon is matched against server and tool; a pattern without one
 * only against the tool.
 */
export function mayUseTool(scope: Scope, server: string, tool: string): boolean {
  if (!mayUseServer(scope, server)) return false
  return scope.tools === undefined || scope.tools.some(pattern => matchesTool(pattern, server, tool))
}

/**
 * Whether the scope includes an endpoint: a toolset, or without a name one of the other endpoints. A scope that names
 * toolsets includes no other endpoint.
 */
export function mayUseEndpoint(scope: Scope, set: string | undefined): boolean {
  if (scope.sets === undefined) return true
  return set !== undefined && scope.sets.some(glob => matchesGlob(glob, set))
}

/** Whether the scope has the permission for a variant. No permission includes another one. */
export function mayCall(scope: Scope, variant: CallVariant): boolean {
  return scope.permissions.includes(variant)
}

export function matchesTool(pattern: string, server: string, tool: string): boolean {
  const colon = pattern.indexOf(':')
  if (colon === -1) return matchesGlob(pattern, tool)
  // Server and tool are matched separately, so that a `*` cannot match across the colon.
  return matchesGlob(pattern.slice(0, colon), server) && matchesGlob(pattern.slice(colon + 1), tool)
}

/**
 * Whether a text matches a glob, in which `*` stands for any characters. Matching never backtracks, so no glob can make
 * it slow.
 */
export function matchesGlob(glob: string, text: string): boolean {
  if (glob === '*') return true
  return glob.includes('*') ? fits(text, glob.split('*')) : glob === text
}

/**
 * Compiles globs that are matched against many texts. Globs without a `*` become a lookup in a set; the others are
 * split only once.
 */
export function compileGlobs(globs: readonly string[]): (text: string) => boolean {
  const isStarred = (glob: string) => glob.includes('*')
  const exact = new Set(globs.filter(glob => !isStarred(glob)))
  const starred = globs.filter(isStarred).map(glob => glob.split('*'))
  return text => exact.has(text) || starred.some(parts => fits(text, parts))
}

/** Whether a text matches a glob, which is given as the parts between its stars. There are at least two parts. */
function fits(text: string, parts: readonly string[]): boolean {
  const last = parts.length - 1
  const [head = ''] = parts
  const tail = parts[last] ?? ''
  const end = text.length - tail.length
  if (end < head.length || !text.startsWith(head) || !text.endsWith(tail)) return false
  let at = head.length
  for (let part = 1; part < last; part += 1) {
    const inner = parts[part] ?? ''
    const found = text.indexOf(inner, at)
    if (found === -1) return false
    at = found + inner.length
  }
  return at <= end
}
