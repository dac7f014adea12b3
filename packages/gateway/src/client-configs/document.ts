import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Client } from './client.ts'
import { type Block, type DocumentFormat, DocumentProblem, type Entry } from './document-format.ts'
import { JSON_DOCUMENT } from './json-document.ts'
import { TOML_DOCUMENT } from './toml-document.ts'

export interface FoundEntry {
  readonly name: string
  readonly entry: unknown
}

const FORMATS: Readonly<Record<Client['format'], DocumentFormat>> = {
  json: JSON_DOCUMENT,
  toml: TOML_DOCUMENT,
}

type Written = Pick<Client, 'format'>

export function readValue({ format }: Written, text: string): Json {
  return FORMATS[format].read(text)
}

/** The servers that a client's file names, in its order. */
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

/** Adds an entry to a client's text, and nothing else. */
export function addEntry({ format }: Written, text: string, block: Block, added: Entry): string {
  const { read, add } = FORMATS[format]
  const after = add(text, block, added)
  const entry = block.shape === 'array' ? { name: added.name, ...added.entry } : added.entry
  const expected = [...entriesOf(read(text), block), { name: added.name, entry }]
  return proven(entriesOf(read(after), block), expected, after)
}

/** Takes an entry out of a client's text, and nothing else. */
export function removeEntry({ format }: Written, text: string, block: Block, name: string): string {
  const { read, remove } = FORMATS[format]
  const after = remove(text, block, name)
  const expected = entriesOf(read(text), block).filter(entry => entry.name !== name)
  return proven(entriesOf(read(after), block), expected, after)
}

/** Whatever the layout of a file did to us: what does not say what it should is not written. */
function proven(found: unknown, expected: unknown, text: string): string {
  // As JSON: parsers make objects of different kinds.
  if (JSON.stringify(found) === JSON.stringify(expected)) return text
  throw new DocumentProblem('it is laid out in a way that cannot be edited safely; do it by hand', 1)
}
