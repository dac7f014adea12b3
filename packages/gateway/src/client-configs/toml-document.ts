import { parse, parseDocument } from '@decimalturn/toml-patch'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { type DocumentFormat, DocumentProblem } from './document-format.ts'

/**
 * TOML, edited by its lines. Not with toml-patch's `patch`: what it adds has a comma at the end of an inline table, which
 * TOML 1.0 does not know and clients therefore refuse.
 */
export const TOML_DOCUMENT: DocumentFormat = {
  read(text) {
    const value: unknown = attempt(() => parse(text))
    if (!isJsonObject(value)) throw new DocumentProblem('it is not a table', 1)
    return value
  },

  add(text, block, { name, entry }) {
    const [first = ''] = block.path
    const inline = blocksOf(text).find(({ kind, keys }) => kind === 'KeyValue' && keys.join('.') === first)
    if (inline !== undefined)
      throw new DocumentProblem(
        `${first} is one value; write a [${first}.NAME] section for each`,
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
    // A blank line before what goes parted it from the rest.
    for (const { start, kind } of spans)
      if (kind === 'Table' && !gone.has(start - 1) && lines[start - 2]?.trim() === '') gone.add(start - 1)
    return lines.filter((_, index) => !gone.has(index + 1)).join('')
  },
}

interface Span {
  readonly kind: string
  /** From the root. */
  readonly keys: readonly string[]
  /** Lines, from 1, both included. */
  readonly start: number
  readonly end: number
}

/** Sections and keys with their lines, without the comments that follow them. */
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

/** What JSON and TOML 1.0 write alike, and inline tables. */
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
