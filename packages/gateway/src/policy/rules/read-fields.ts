import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml'
import { suggest } from './condition/suggest.ts'
import type { YamlFile } from './read-yaml.ts'

/** A key with its value; the value is absent where nothing was written after the colon. */
interface Field {
  readonly key: Scalar
  readonly value: Node | undefined
}

/**
 * The fields of a mapping, with a complaint for every key that is not known. Undefined if it is no mapping.
 */
export function readFields(
  file: YamlFile,
  node: Node,
  { known, what }: { readonly known: readonly string[]; readonly what: string },
): ReadonlyMap<string, Field> | undefined {
  if (!isMap<Node, Node | null>(node))
    return file.complain(node, `${what} is not a mapping`, `write the keys of ${what}: ${known.join(', ')}`)
  const fields = new Map<string, Field>()
  for (const { key, value } of node.items) {
    if (!isScalar(key)) file.complain(key, 'the key is not a text', `use one of ${known.join(', ')}`)
    else {
      const name = String(key.value)
      if (known.includes(name)) fields.set(name, { key, value: value ?? undefined })
      else file.complain(key, `${what} has no key \`${name}\``, suggest(name, known))
    }
  }
  return fields
}

export function readText(file: YamlFile, node: Node, what: string): string | undefined {
  if (isScalar(node) && typeof node.value === 'string' && node.value.trim() !== '') return node.value
  const fix = isScalar(node) && node.value !== '' && node.value !== null ? 'put it in quotes' : 'write a text'
  return file.complain(node, `${what} is not a text`, fix)
}

/** One of a few words. */
export function readWord<T extends string>(
  file: YamlFile,
  node: Node,
  { what, words }: { readonly what: string; readonly words: readonly T[] },
): T | undefined {
  const word = words.find(known => isScalar(node) && known === node.value)
  if (word !== undefined) return word
  if (!isScalar(node)) return file.complain(node, `the ${what} is not a word`, suggest('', words))
  const written = String(node.value)
  return file.complain(node, `\`${written}\` is no ${what}`, suggest(written, words))
}

/** A list, or a single one of what the list may hold. Undefined where anything in it is wrong. */
export function readList<T>(
  file: YamlFile,
  node: Node,
  { what, read }: { readonly what: string; readonly read: (item: Node) => T | undefined },
): readonly T[] | undefined {
  const items = isSeq<Node>(node) ? node.items : [node]
  if (items.length === 0)
    return file.complain(node, `${what} is empty, so the rule would never match`, `leave ${what} out`)
  const found = items.map(read)
  return found.every(one => one !== undefined) ? found : undefined
}
