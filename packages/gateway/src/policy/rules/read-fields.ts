import {
  CALL_VARIANTS,
  type CallVariant,
  HINT_NAMES,
  HINTS,
  type HintName,
  nearest,
  type Source,
} from '@hintgate/metadata'
import { isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml'
import { suggest } from './condition/complaint.ts'
import type { HintDemand, ToolPattern } from './policy-set.ts'
import type { YamlFile } from './read-yaml.ts'

/** A key and its value. The value is undefined if nothing follows the colon. */
interface Field {
  readonly key: Scalar
  readonly value: Node | undefined
}

/** Reads a YAML mapping and reports unknown keys. Returns undefined if the node is not a mapping. */
export function readFields(
  file: YamlFile,
  node: Node,
  { known, what }: { readonly known: readonly string[]; readonly what: string },
): ReadonlyMap<string, Field> | undefined {
  if (!isMap<Node, Node | null>(node))
    return file.complain(
      node,
      `${what} is not a mapping`,
      `write keys and values; the keys of ${what} are ${known.join(', ')}`,
    )
  const fields = new Map<string, Field>()
  for (const { key, value } of node.items) {
    if (!isScalar(key)) file.complain(key, 'the key is not a string', `use one of ${known.join(', ')}`)
    else {
      const name = String(key.value)
      if (known.includes(name)) fields.set(name, { key, value: value ?? undefined })
      else file.complain(key, `unknown key \`${name}\` in ${what}`, suggest(name, known))
    }
  }
  return fields
}

export function readText(file: YamlFile, node: Node, what: string): string | undefined {
  if (isScalar(node) && typeof node.value === 'string' && node.value.trim() !== '') return node.value
  const fix =
    isScalar(node) && node.value !== '' && node.value !== null ? 'put it in quotes' : 'write some text'
  return file.complain(node, `${what} is not a string`, fix)
}

export function readWord<T extends string>(
  file: YamlFile,
  node: Node,
  { what, words }: { readonly what: string; readonly words: readonly T[] },
): T | undefined {
  const word = words.find(known => isScalar(node) && known === node.value)
  if (word !== undefined) return word
  if (!isScalar(node)) return file.complain(node, `the ${what} is not a string`, suggest('', words))
  const written = String(node.value)
  return file.complain(node, `unknown ${what} \`${written}\``, suggest(written, words))
}

/** Reads a list, or a single item as a list of one. Returns undefined if any item is invalid. */
export function readList<T>(
  file: YamlFile,
  node: Node,
  { what, read }: { readonly what: string; readonly read: (item: Node) => T | undefined },
): readonly T[] | undefined {
  const items = isSeq<Node>(node) ? node.items : [node]
  if (items.length === 0)
    return file.complain(node, `${what} is empty, so the rule could never match`, `remove ${what}`)
  const found = items.map(read)
  return found.every(one => one !== undefined) ? found : undefined
}

const SOURCES: readonly Source[] = ['override', 'declared', 'inferred', 'default']
const SHORT_VARIANTS = ['read', 'write', 'destructive'] as const

export function readGlobs(file: YamlFile, node: Node, what: string): readonly string[] | undefined {
  return readList(file, node, { what, read: item => readText(file, item, `one of ${what}`) })
}

/** Reads tool patterns of the form `tool` or `server:tool`. */
export function readTools(file: YamlFile, node: Node): readonly ToolPattern[] | undefined {
  return readGlobs(file, node, 'tools')?.map(pattern => {
    const colon = pattern.indexOf(':')
    return colon === -1
      ? { server: '*', tool: pattern }
      : { server: pattern.slice(0, colon), tool: pattern.slice(colon + 1) }
  })
}

/** Reads call variants, written with their full or their short names. */
export function readVariants(file: YamlFile, node: Node): readonly CallVariant[] | undefined {
  return readList(file, node, {
    what: 'variants',
    read: item => {
      const word = readWord(file, item, { what: 'variant', words: [...SHORT_VARIANTS, ...CALL_VARIANTS] })
      return CALL_VARIANTS.find(variant => variant === word || variant === `call_tool_${word}`)
    },
  })
}

/**
 * Reads conditions on hints, such as `{ openWorld: true, destructive: { value: true, source: [declared, override] } }`.
 */
export function readHints(file: YamlFile, node: Node): readonly HintDemand[] | undefined {
  if (!isMap<Node, Node | null>(node))
    return file.complain(node, 'hints is not a mapping', 'write hint names with values: { openWorld: true }')
  if (node.items.length === 0)
    return file.complain(node, 'hints is empty', 'name at least one hint, or remove hints')
  const demands = node.items.map(({ key, value }) => {
    const hint = readHintName(file, key)
    const demand = value === null ? complainOfDemand(file, key) : readDemand(file, value)
    return hint === undefined || demand === undefined ? undefined : { hint, ...demand }
  })
  return demands.every(one => one !== undefined) ? demands : undefined
}

function readHintName(file: YamlFile, key: Node): HintName | undefined {
  const name = isScalar(key) ? String(key.value) : ''
  const hint = HINT_NAMES.find(known => known === name || HINTS[known].wire === name)
  if (hint !== undefined) return hint
  const match = nearest(name, [...HINT_NAMES, ...HINT_NAMES.map(known => HINTS[known].wire)])
  return file.complain(
    key,
    `unknown hint \`${name}\``,
    match === undefined ? `use one of ${HINT_NAMES.join(', ')}` : `did you mean \`${match}\`?`,
  )
}

function readDemand(file: YamlFile, node: Node): Omit<HintDemand, 'hint'> | undefined {
  if (isScalar(node))
    return typeof node.value === 'boolean' ? { value: node.value } : complainOfDemand(file, node)
  const fields = readFields(file, node, { what: 'the hint', known: ['value', 'source'] })
  const value = fields?.get('value')?.value
  const source = fields?.get('source')?.value
  if (fields === undefined || (value === undefined && source === undefined))
    return fields && complainOfDemand(file, node)
  if (value !== undefined && !(isScalar(value) && typeof value.value === 'boolean'))
    return complainOfDemand(file, value)
  const sources = source && readSources(file, source)
  if (source !== undefined && sources === undefined) return undefined
  return {
    ...(value !== undefined && { value: value.value === true }),
    ...(sources !== undefined && { sources }),
  }
}

function readSources(file: YamlFile, node: Node): readonly Source[] | undefined {
  return readList(file, node, {
    what: 'source',
    read: item => readWord(file, item, { what: 'hint source', words: SOURCES }),
  })
}

function complainOfDemand(file: YamlFile, node: Node): undefined {
  return file.complain(
    node,
    'the hint has no valid value or source',
    'write true, false, or { value: true, source: [declared, override] }',
  )
}
