import { parse, parseDocument } from '@decimalturn/toml-patch'
import { getNodeValue, type Node } from 'jsonc-parser'
import { addMember, layoutOf, removeMember } from '../config/edit/json-members.ts'
import { partsOf, positionAt, readDocument } from '../config/read-document.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Client } from './clients.ts'

interface Block {
  readonly path: readonly string[]
  readonly shape: Client['shape']
}

interface Entry {
  readonly name: string
  readonly entry: Json
}

/** Reads and edits the text of a client's file. An edit leaves the rest of the text unchanged. */
interface DocumentFormat {
  /** Returns the value of the whole document. Throws a `DocumentProblem` if the text is invalid. */
  readonly read: (text: string) => Json
  readonly add: (text: string, block: Block, added: Entry) => string
  readonly remove: (text: string, block: Block, name: string) => string
}

export class DocumentProblem extends Error {
  readonly line: number

  constructor(message: string, line: number) {
    super(message)
    this.line = line
  }
}

export interface FoundEntry {
  readonly name: string
  readonly entry: unknown
}

/** JSON with comments and trailing commas, which some clients allow. An empty file counts as an empty object. */
export const JSON_DOCUMENT: DocumentFormat = {
  read(text) {
    const value: unknown = getNodeValue(rootOf(text))
    if (!isJsonObject(value)) throw new DocumentProblem('the file does not contain an object', 1)
    return value
  },

  add(text, block, { name, entry }) {
    const whole = text.trim() === '' ? `{}${text === '' ? '\n' : text}` : text
    const { node, missing } = findNode(whole, block.path)
    const layout = layoutOf(whole)
    if (missing.length === 0 && block.shape === 'array')
      return addMember(whole, node, { value: { name, ...entry } }, layout)
    if (missing.length === 0) return addMember(whole, node, { key: name, value: entry }, layout)
    const innermost = block.shape === 'array' ? [{ name, ...entry }] : { [name]: entry }
    const [key = '', ...deeper] = missing
    const value = deeper.toReversed().reduce<unknown>((held, step) => ({ [step]: held }), innermost)
    return addMember(whole, node, { key, value }, layout)
  },

  remove(text, block, name) {
    const { node, missing } = findNode(text, block.path)
    if (missing.length > 0) return text
    const index = (node.children ?? []).findIndex(child => nameOf(child, block) === name)
    return index === -1 ? text : removeMember(text, node, index)
  },
}

function nameOf(child: Node, { shape }: Block): unknown {
  if (shape === 'object') return partsOf(child)?.name
  const item: unknown = getNodeValue(child)
  return isJsonObject(item) ? item.name : undefined
}

interface FoundNode {
  readonly node: Node
  /** The keys at the end of the path that do not exist yet. */
  readonly missing: readonly string[]
}

function findNode(text: string, path: readonly string[]): FoundNode {
  let node = rootOf(text)
  for (const [index, step] of path.entries()) {
    const found = (node.children ?? []).flatMap(child => {
      const parts = node.type === 'object' ? partsOf(child) : undefined
      return parts?.name === step ? [parts.value] : []
    })
    // Duplicate keys are refused, because the client's parser might not use the same one as Hintgate's.
    if (found.length > 1) throw problemAt(text, found[1], `"${step}" occurs twice`)
    const [next] = found
    if (next === undefined) return { node, missing: path.slice(index) }
    if (next.type !== 'object' && next.type !== 'array')
      throw problemAt(text, next, `"${step}" is not an object or array of servers`)
    node = next
  }
  return { node, missing: [] }
}

function rootOf(text: string): Node {
  const { root, complaints } = readDocument(text.trim() === '' ? '{}' : text)
  const [complaint] = complaints
  if (complaint !== undefined)
    throw new DocumentProblem(
      `${complaint.message}; ${complaint.fix}`,
      positionAt(text, complaint.offset ?? 0).line,
    )
  if (root?.type !== 'object') throw new DocumentProblem('the file does not contain an object', 1)
  return root
}

function problemAt(text: string, node: Node | undefined, message: string): DocumentProblem {
  return new DocumentProblem(message, positionAt(text, node?.offset ?? 0).line)
}

/**
 * TOML, which is edited line by line. The library toml-patch could write a trailing comma in an inline table, which
 * TOML 1.0 forbids and clients refuse.
 */
export const TOML_DOCUMENT: DocumentFormat = {
  read(text) {
    const value: unknown = attempt(() => parse(text))
    if (!isJsonObject(value)) throw new DocumentProblem('the file does not contain a table', 1)
    return value
  },

  add(text, block, { name, entry }) {
    const [first = ''] = block.path
    const inline = blocksOf(text).find(({ kind, keys }) => kind === 'KeyValue' && keys.join('.') === first)
    if (inline !== undefined)
      throw new DocumentProblem(
        `${first} is written as a single value; write one section [${first}.NAME] for each entry`,
        inline.start,
      )
    const eol = text.includes('\r\n') ? '\r\n' : '\n'
    const gap = text === '' ? '' : text.endsWith('\n') ? eol : eol + eol
    return `${text}${gap}${render([...block.path, name], entry).join(eol)}${eol}`
  },

  remove(text, block, name) {
    const path = [...block.path, name]
    const spans = blocksOf(text).filter(({ keys }) => path.every((step, index) => keys[index] === step))
    const gone = new Set(spans.flatMap(({ start, end }) => range(start, end)))
    const lines = text.split(/(?<=\n)/)
    // The blank line that separated the section from the one before it is removed too.
    for (const { start, kind } of spans)
      if (kind === 'Table' && !gone.has(start - 1) && lines[start - 2]?.trim() === '') gone.add(start - 1)
    return lines.filter((_, index) => !gone.has(index + 1)).join('')
  },
}

interface Span {
  readonly kind: string
  /** The keys that lead from the root to the section or value. */
  readonly keys: readonly string[]
  /** Line numbers from 1, inclusive. */
  readonly start: number
  readonly end: number
}

/** Finds sections and keys with their lines, without the comments that follow them. */
function blocksOf(text: string): readonly Span[] {
  return attempt(() => parseDocument(text).cst).flatMap(block => {
    if ('equals' in block) return [spanOf('KeyValue', block.key.value, block.loc)]
    const kind: string = block.type
    if (!('items' in block) || kind !== 'Table') return []
    const { value: keys } = block.key.item
    const own = block.items.flatMap(item =>
      'equals' in item ? [spanOf('KeyValue', [...keys, ...item.key.value], item.loc)] : [],
    )
    const end = own.at(-1)?.end ?? block.loc.start.line
    return [{ kind: 'Table', keys, start: block.loc.start.line, end }, ...own]
  })
}

interface Location {
  readonly start: { readonly line: number }
  readonly end: { readonly line: number }
}

function spanOf(kind: string, keys: readonly string[], { start, end }: Location): Span {
  return { kind, keys, start: start.line, end: end.line }
}

function range(start: number, end: number): readonly number[] {
  return Array.from({ length: end - start + 1 }, (_, index) => start + index)
}

function render(path: readonly string[], entry: Json): readonly string[] {
  const lines = Object.entries(entry).map(([key, value]) => `${renderKey(key)} = ${renderValue(value)}`)
  return [`[${path.map(renderKey).join('.')}]`, ...lines]
}

/** Writes a value in TOML 1.0, where scalars have the same syntax as in JSON. Objects become inline tables. */
function renderValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(renderValue).join(', ')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, held]) => `${renderKey(key)} = ${renderValue(held)}`)
  return `{ ${members.join(', ')} }`
}

function renderKey(key: string): string {
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(key)
}

function attempt<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const line = Number(/\((\d+), \d+\)/.exec(message)?.[1] ?? 1)
    throw new DocumentProblem(message.split('\n').at(-1) ?? message, line)
  }
}

const FORMATS: Readonly<Record<Client['format'], DocumentFormat>> = {
  json: JSON_DOCUMENT,
  toml: TOML_DOCUMENT,
}

type Written = Pick<Client, 'format'>

export function readValue({ format }: Written, text: string): Json {
  return FORMATS[format].read(text)
}

export function listEntries(client: Written, text: string, block: Block): readonly FoundEntry[] {
  return entriesOf(readValue(client, text), block)
}

function entriesOf(value: Json, { path, shape }: Block): readonly FoundEntry[] {
  const held = path.reduce<unknown>((node, step) => (isJsonObject(node) ? node[step] : undefined), value)
  if (shape === 'object')
    return isJsonObject(held) ? Object.entries(held).map(([name, entry]) => ({ name, entry })) : []
  return (Array.isArray(held) ? held : [])
    .filter(isJsonObject)
    .map(entry => ({ name: String(entry.name), entry }))
}

export function addEntry({ format }: Written, text: string, block: Block, added: Entry): string {
  const { read, add } = FORMATS[format]
  const after = add(text, block, added)
  const entry = block.shape === 'array' ? { name: added.name, ...added.entry } : added.entry
  const expected = [...entriesOf(read(text), block), { name: added.name, entry }]
  return verifyEdit(entriesOf(read(after), block), expected, after)
}

export function removeEntry({ format }: Written, text: string, block: Block, name: string): string {
  const { read, remove } = FORMATS[format]
  const after = remove(text, block, name)
  const expected = entriesOf(read(text), block).filter(entry => entry.name !== name)
  return verifyEdit(entriesOf(read(after), block), expected, after)
}

/** Refuses an edit whose result does not parse to the expected entries. This guards against unusual layouts. */
function verifyEdit(found: unknown, expected: unknown, text: string): string {
  // The values are compared as JSON text, because the parsers create objects of different classes.
  if (JSON.stringify(found) === JSON.stringify(expected)) return text
  throw new DocumentProblem("the file's formatting prevents a safe automatic edit; edit the file by hand", 1)
}
