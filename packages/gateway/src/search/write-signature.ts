import { isJsonObject, type Json } from '../protocol/messages.ts'
import { writeJson } from '../protocol/parse-json.ts'

const MAX_LENGTH = 400
const MAX_DEPTH = 3
const MAX_CHOICES = 8
const MAX_CHOICE = 40

/**
 * Describes an input schema in one line. The line is only a summary: parts that are deep, long or unclear are shown as
 * `object`, `…` or `any`.
 *
 * @example
 * writeSignature('read', { properties: { path: { type: 'string' }, limit: { type: 'integer' } }, required: ['path'] })
 * // => 'read(path: string, limit?: integer)'
 */
export function writeSignature(name: string, schema: unknown): string {
  const writer = new SignatureWriter(isJsonObject(schema) ? schema : {})
  const text = `${name}(${writer.members(isJsonObject(schema) ? schema : {}, 0).join(', ')})`
  return text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 2)}…)`
}

class SignatureWriter {
  readonly #root: Json
  /** How many more nodes can be visited. The limit is needed because a schema can branch at every level. */
  #left = 200

  constructor(root: Json) {
    this.#root = root
  }

  members({ properties, required }: Json, depth: number): string[] {
    const names = isJsonObject(properties) ? Object.keys(properties).slice(0, 50) : []
    const needed = new Set(Array.isArray(required) ? required : [])
    // Required parameters come first, so that a signature that is cut loses only optional ones.
    const ordered = names.toSorted((a, b) => Number(needed.has(b)) - Number(needed.has(a)))
    return ordered.map(name => {
      const type = this.#type(isJsonObject(properties) ? properties[name] : undefined, depth + 1)
      return `${isPlain(name) ? name : JSON.stringify(name)}${needed.has(name) ? '' : '?'}: ${type}`
    })
  }

  #type(node: unknown, depth: number): string {
    this.#left -= 1
    if (!isJsonObject(node) || this.#left < 0) return 'any'
    if (typeof node.$ref === 'string') return this.#reference(node.$ref, depth)
    if (node.const !== undefined) return writeChoice(node.const)
    if (Array.isArray(node.enum)) return writeChoices(node.enum)
    const branches = [node.anyOf, node.oneOf].find(list => Array.isArray(list)) as unknown[] | undefined
    if (branches !== undefined) return this.#union(branches, depth)
    if (Array.isArray(node.type))
      return [...new Set(node.type.map(type => this.#plain({ ...node, type }, depth)))].join('|')
    return this.#plain(node, depth)
  }

  #plain(node: Json, depth: number): string {
    const { type, items, properties } = node
    if (type === 'array' || (type === undefined && items !== undefined)) {
      const item = depth < MAX_DEPTH ? this.#type(items, depth + 1) : 'any'
      return item.includes('|') ? `(${item})[]` : `${item}[]`
    }
    if (isJsonObject(properties))
      return depth < MAX_DEPTH ? `{${this.members(node, depth).join(', ')}}` : 'object'
    return typeof type === 'string' && isPlain(type) ? type : 'any'
  }

  #union(branches: readonly unknown[], depth: number): string {
    const types = branches.slice(0, MAX_CHOICES).map(branch => this.#type(branch, depth))
    return [...new Set(types)].join('|') + (branches.length > MAX_CHOICES ? '|…' : '')
  }

  #reference(reference: string, depth: number): string {
    const [, group, name = ''] = /^#\/(\$defs|definitions)\/([^/]+)$/.exec(reference) ?? []
    const definitions = group === undefined ? undefined : this.#root[group]
    const target =
      isJsonObject(definitions) && Object.hasOwn(definitions, name) ? definitions[name] : undefined
    // A recursive reference is shown by name only.
    return target === undefined || depth >= MAX_DEPTH
      ? isPlain(name)
        ? name
        : 'any'
      : this.#type(target, depth + 1)
  }
}

function writeChoices(choices: readonly unknown[]): string {
  const shown = choices.slice(0, MAX_CHOICES).map(writeChoice).join('|')
  return choices.length > MAX_CHOICES ? `${shown}|…` : shown
}

function writeChoice(choice: unknown): string {
  const text = choice === undefined ? 'any' : writeJson(choice)
  return text.length <= MAX_CHOICE ? text : `${text.slice(0, MAX_CHOICE - 1)}…`
}

function isPlain(name: string): boolean {
  return /^[\w$.-]{1,64}$/.test(name)
}
