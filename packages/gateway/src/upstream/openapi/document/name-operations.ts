import { createHash } from 'node:crypto'
import { asText } from './follow.ts'

/** Maximum length of a tool's name. Several model providers accept no longer ones. */
const MOST = 64

interface Named {
  readonly method: string
  readonly path: string
  readonly operation: { readonly operationId?: unknown }
}

/**
 * Gives each operation a name: its operationId, or else its method and path, so that `GET /users/{id}` becomes
 * `get_users_by_id`. If several operations would have the same name, all of them get the method and path as well, so that
 * the order in the document does not matter.
 */
export function nameOperations(operations: readonly Named[]): readonly string[] {
  const wanted = operations.map(one => plain(asText(one.operation.operationId)) ?? nameOfPath(one))
  const counts = countFolded(wanted)
  const longer = operations.map((one, at) => {
    const name = wanted[at] ?? ''
    return (counts.get(fold(name)) ?? 0) > 1 ? `${name}_${nameOfPath(one)}` : name
  })
  const again = countFolded(longer)
  return operations.map((one, at) => {
    const name = longer[at] ?? ''
    const isUnique = again.get(fold(name)) === 1 && name.length <= MOST
    return isUnique ? name : withHash(name, `${one.method} ${one.path}`)
  })
}

function plain(id: string | undefined): string | undefined {
  const name = id?.replaceAll(/[^\w.-]+/g, '_').replaceAll(/^_+|_+$/g, '')
  return name === '' ? undefined : name
}

function nameOfPath({ method, path }: Named): string {
  const words = path.replaceAll(/\{([^{}]+)\}/g, 'by_$1').split(/[^A-Za-z0-9]+/)
  return [method.toLowerCase(), ...words.filter(word => word !== '')].join('_')
}

/** Names that differ only in case or separators count as the same, because people and the catalog cannot tell them apart. */
function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
}

function countFolded(names: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(fold(name), (counts.get(fold(name)) ?? 0) + 1)
  return counts
}

function withHash(name: string, identity: string): string {
  const hash = createHash('sha256').update(identity).digest('hex').slice(0, 8)
  return `${name.slice(0, MOST - hash.length - 1)}_${hash}`
}
