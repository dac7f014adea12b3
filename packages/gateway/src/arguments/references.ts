import { isJsonObject, type Json } from '../protocol/messages.ts'

/** Keywords whose values are data rather than schemas, so that `$anchor` within them has no meaning. */
const DATA = new Set(['default', 'const', 'enum', 'examples'])
const MAX_NODES = 20_000

/**
 * Resolves `$ref` within a single document; nothing is ever fetched. Undefined for other references, and for all
 * references in a document with embedded documents (a second `$id`), where one reference can have several meanings.
 * None of 2,752 known tools does that.
 */
export class References {
  readonly #root: Json
  readonly #id: string | undefined
  readonly #found = new Map<string, unknown>()
  #anchors: ReadonlyMap<string, Json> | 'unclear' | undefined

  constructor(root: Json) {
    this.#root = root
    this.#id = typeof root.$id === 'string' ? root.$id.split('#', 1)[0] : undefined
  }

  /** True if references in this document cannot be resolved at all. Known only after the first lookup. */
  get isUnclear(): boolean {
    return this.#anchors === 'unclear'
  }

  find(reference: string): unknown {
    if (!this.#found.has(reference)) this.#found.set(reference, this.#look(reference))
    return this.#found.get(reference)
  }

  #look(reference: string): unknown {
    const [document = '', fragment = ''] = reference.split('#', 2)
    const isHere = document === '' || document === this.#id
    this.#anchors ??= findAnchors(this.#root) ?? 'unclear'
    if (!isHere || this.#anchors === 'unclear') return undefined
    const place = decode(fragment)
    if (place === '') return this.#root
    return place?.startsWith('/') ? follow(this.#root, place) : this.#anchors.get(place ?? '')
  }
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return undefined
  }
}

function follow(root: Json, pointer: string): unknown {
  let at: unknown = root
  for (const written of pointer.slice(1).split('/')) {
    const step = written.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Json)[step]
  }
  return at
}

/** Returns every anchor by name; undefined if the document has embedded documents or is too large to search. */
function findAnchors(root: Json): ReadonlyMap<string, Json> | undefined {
  const anchors = new Map<string, Json>()
  const waiting: unknown[] = [root]
  for (let looked = 0; waiting.length > 0; looked++) {
    if (looked > MAX_NODES || waiting.length > MAX_NODES) return undefined
    const node = waiting.pop()
    if (Array.isArray(node)) for (const item of node) waiting.push(item)
    if (!isJsonObject(node)) continue
    const names = [node.$anchor, node.$dynamicAnchor]
    if (typeof node.$id === 'string' && node.$id.startsWith('#'))
      names.push(node.$id.slice(1)) // draft 7
    else if (typeof node.$id === 'string' && node !== root) return undefined
    for (const name of names) if (typeof name === 'string') anchors.set(name, node)
    for (const key of Object.keys(node)) if (!DATA.has(key)) waiting.push(node[key])
  }
  return anchors
}
