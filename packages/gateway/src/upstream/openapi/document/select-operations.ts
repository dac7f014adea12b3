import { matchesGlob } from '../../../scope/match-scope.ts'

export interface Selection {
  readonly include: readonly string[]
  readonly exclude: readonly string[]
}

interface Selectable {
  readonly name: string
  readonly id: string | undefined
  readonly method: string
  readonly path: string
  readonly tags: readonly string[]
}

/**
 * Returns the reason why the config leaves out an operation; undefined if it does not. A pattern is a name or an
 * operationId (`list*`), `tag:pets`, a method (`GET`), a path (`/pets/*`), or both (`GET /pets/*`).
 */
export function findExclusion(operation: Selectable, { include, exclude }: Selection): string | undefined {
  const excluding = exclude.find(pattern => fits(pattern, operation))
  if (excluding !== undefined) return `"exclude" has ${JSON.stringify(excluding)}`
  const isIncluded = include.length === 0 || include.some(pattern => fits(pattern, operation))
  return isIncluded ? undefined : '"include" does not name it'
}

function fits(pattern: string, { name, id, method, path, tags }: Selectable): boolean {
  if (pattern.startsWith('tag:')) return tags.some(tag => matchesGlob(pattern.slice('tag:'.length), tag))
  const [, verb, place] = /^([A-Z]+)?\s*(\/.*)?$/.exec(pattern) ?? []
  if (place !== undefined) return (verb === undefined || verb === method) && matchesGlob(place, path)
  if (verb === method) return true
  return matchesGlob(pattern, name) || (id !== undefined && matchesGlob(pattern, id))
}
