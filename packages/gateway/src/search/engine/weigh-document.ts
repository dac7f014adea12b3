import { type SplitText, STOP_WORDS, splitText } from './split-text.ts'
import { stem } from './stem.ts'
import type { FieldName, Weights } from './weights.ts'

/** The searchable data of one tool. It can come from a hostile server, so every part is cut to a maximum length. */
export interface SearchDocument {
  /** The tool's id, in the form `server:tool`. It is unique in the index. */
  readonly id: string
  readonly server: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: unknown
  readonly domains: readonly string[]
  readonly tags: readonly string[]
}

interface ParameterText {
  readonly names: string
  readonly descriptions: string
}

/** Maximum number of schema nodes to read, because a schema can be as long as a whole message. */
const MAX_NODES = 300
const MAX_DEPTH = 6
const MAX_CHOICES = 40
const MAX_NAME_CHARACTERS = 2_000
const MAX_DESCRIPTION_CHARACTERS = 4_000

type Schema = Readonly<Record<string, unknown>>

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Reads the names and descriptions of parameters. It goes level by level, so that the outermost parameters are read
 * even if it reaches its limit.
 */
export function readParameters(inputSchema: unknown): ParameterText {
  const names = new CappedText(MAX_NAME_CHARACTERS)
  const descriptions = new CappedText(MAX_DESCRIPTION_CHARACTERS)
  const queue: { readonly node: unknown; readonly depth: number }[] = [{ node: inputSchema, depth: 0 }]
  for (let at = 0; at < queue.length && at < MAX_NODES; at += 1) {
    const { node, depth } = queue[at] ?? { node: undefined, depth: 0 }
    if (!isSchema(node)) continue
    if (depth > 0) describeNode(node, descriptions)
    if (depth < MAX_DEPTH && queue.length < MAX_NODES) {
      for (const child of listChildren(node, names)) queue.push({ node: child, depth: depth + 1 })
    }
  }
  return { names: names.text, descriptions: descriptions.text }
}

function describeNode(node: Schema, descriptions: CappedText): void {
  if (typeof node.title === 'string') descriptions.add(node.title)
  if (typeof node.description === 'string') descriptions.add(node.description)
  if (!Array.isArray(node.enum)) return
  for (const choice of node.enum.slice(0, MAX_CHOICES))
    if (typeof choice === 'string') descriptions.add(choice)
}

function listChildren(node: Schema, names: CappedText): unknown[] {
  const children: unknown[] = []
  if (isSchema(node.properties)) {
    for (const name of Object.keys(node.properties).slice(0, MAX_NODES)) {
      names.add(name)
      children.push(node.properties[name])
    }
  }
  children.push(node.items)
  for (const list of [node.anyOf, node.oneOf, node.allOf]) {
    if (Array.isArray(list)) children.push(...list.slice(0, MAX_NODES))
  }
  // Words in shared definitions belong to the tool, wherever the `$ref` to them is.
  for (const definitions of [node.$defs, node.definitions]) {
    if (isSchema(definitions)) children.push(...Object.values(definitions).slice(0, MAX_NODES))
  }
  return children
}

class CappedText {
  text = ''
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(part: string): void {
    const room = this.#limit - this.text.length
    if (room > 0) this.text += `${part.slice(0, room)} `
  }
}

/** The part of a document that the index keeps: the impact of each stem, from 0 to less than 1. */
interface WeighedDocument {
  readonly impacts: ReadonlyMap<string, number>
  /** The distinct stems of the name, in order. */
  readonly nameStems: readonly string[]
}

const MAX_NAME = 256
const MAX_TITLE = 512
const MAX_DESCRIPTION = 4_000
const MAX_PARAMETERS = 4_000
const MAX_LABELS = 64

/**
 * Computes the BM25F weights of one document, without the rarity of words. Rarity depends on the other tools in the
 * catalog, so it is applied at query time.
 */
export function weighDocument(document: SearchDocument, weights: Weights): WeighedDocument {
  const name = readName(document.name)
  const [first, rest] = splitFirstSentence(document.description.slice(0, MAX_DESCRIPTION))
  const parameters = readParameters(document.inputSchema)
  const labels = [...document.domains.slice(0, MAX_LABELS), ...document.tags.slice(0, MAX_LABELS)]
  const sums = new Map<string, number>()
  const add = (field: FieldName, stems: FieldStems): void => addField(sums, stems, weights.fields[field])
  add('name', name)
  add('title', omit(readField(document.title, MAX_TITLE), name))
  add('firstSentence', readField(first, MAX_DESCRIPTION))
  add('description', readField(rest, MAX_DESCRIPTION))
  add('parameterNames', readField(parameters.names, MAX_PARAMETERS))
  add('parameterDescriptions', readField(parameters.descriptions, MAX_PARAMETERS))
  add('server', readField(document.server, MAX_NAME))
  add('labels', readField(labels.map(label => label.slice(0, MAX_LABELS)).join(' '), MAX_PARAMETERS))
  for (const [word, sum] of sums) sums.set(word, sum / (weights.saturation + sum))
  return { impacts: sums, nameStems: [...new Set(name.stems)] }
}

interface FieldStems {
  readonly stems: readonly string[]
  /** The whole spellings of split words. They do not count towards the field's length. */
  readonly wholes: readonly string[]
}

const NOTHING: FieldStems = { stems: [], wholes: [] }

function readField(text: string, maxLength: number): FieldStems {
  if (text === '') return NOTHING
  const { words, wholes } = splitText(text, maxLength)
  const stems: string[] = []
  for (const word of words) if (!STOP_WORDS.has(word)) stems.push(stem(word))
  return { stems, wholes: wholes.map(stem) }
}

/** Splits a name into stems. Stop words are kept, because names such as `who_is` and `do` have no other words. */
function readName(name: string): FieldStems {
  const { words, wholes }: SplitText = splitText(name, MAX_NAME)
  return { stems: words.map(stem), wholes: wholes.map(stem) }
}

/** Removes words of the title that repeat the name. Otherwise tools with titles would rank above those without. */
function omit(title: FieldStems, name: FieldStems): FieldStems {
  if (title === NOTHING) return NOTHING
  const known = new Set([...name.stems, ...name.wholes])
  return {
    stems: title.stems.filter(word => !known.has(word)),
    wholes: title.wholes.filter(word => !known.has(word)),
  }
}

function addField(
  sums: Map<string, number>,
  { stems, wholes }: FieldStems,
  { weight, dilution, pivot }: Weights['fields'][FieldName],
): void {
  const each = weight / (1 - dilution + (dilution * Math.max(1, stems.length)) / pivot)
  for (const word of stems) sums.set(word, (sums.get(word) ?? 0) + each)
  for (const word of wholes) sums.set(word, (sums.get(word) ?? 0) + each)
}

/**
 * Splits a description after its first sentence, which usually says what the tool does. The other sentences say how.
 */
function splitFirstSentence(description: string): readonly [string, string] {
  const text = description.trim()
  const end = /[.!?:\n](?=\s|$)/.exec(text)
  return end === null ? [text, ''] : [text.slice(0, end.index), text.slice(end.index + 1)]
}
