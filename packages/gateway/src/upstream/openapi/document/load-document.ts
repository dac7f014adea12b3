import { realpathSync, statSync } from 'node:fs'
import { basename, dirname, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readRegularFile } from '../../../base/read-regular-file.ts'
import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { checkContent, checkPlace, listReferences } from './check-references.ts'
import { DocumentError } from './document-error.ts'

export interface LoadedDocument {
  readonly root: Json
  /** The document's file and all files that it refers to, each with the size and time of change that it had just before it was read. */
  readonly files: ReadonlyMap<string, string>
}

/** Maximum length of a document with all its files, in bytes. The longest known one has 13 MB. */
const MOST_BYTES = 32 * 1024 * 1024
/** Maximum number of values in one file, with the values behind YAML aliases counted each time. */
const MOST_VALUES = 4_000_000
const MOST_DEPTH = 200

/**
 * Reads an OpenAPI document, with the files beside it that it refers to. Nothing is fetched from a network. The result
 * refers only to itself, and may do so in circles.
 *
 * @example
 * const { root } = await loadDocument('/srv/petstore.yaml')
 * root.openapi // => '3.1.0'
 */
export async function loadDocument(file: string): Promise<LoadedDocument> {
  const name = basename(file)
  const reader = new FileReader(file)
  try {
    const { $RefParser, getJsonSchemaRefParserDefaultOptions } = await import(
      '@apidevtools/json-schema-ref-parser'
    )
    const { yaml } = getJsonSchemaRefParserDefaultOptions().parse as Record<'yaml', Parser>
    const parser = new $RefParser()
    await parser.resolve(file, createOptions(reader, yaml))
    // Bundling walks through the whole document, so it is skipped for a document that is a single file.
    const root: unknown =
      reader.files.size === 1
        ? parser.schema
        : await bundle(parser, () => $RefParser.bundle(file, createOptions(new FileReader(file), yaml)))
    return { root: checkVersion(root, { name, text: () => reader.text(file) }), files: reader.files }
  } catch (error) {
    if (error instanceof DocumentError) throw error
    // The library replaces the errors of a reader with its own, which say less.
    throw reader.problem ?? new DocumentError(`${name}: ${tell(error, dirname(file))}`)
  }
}

interface Resolved {
  readonly schema: unknown
  readonly $refs: { values(): object; get(reference: string): unknown }
}

/**
 * Puts the files of a document together. What decides where requests go, and what the API says about itself, is that
 * of the document's own file.
 */
async function bundle({ schema, $refs }: Resolved, combine: () => Promise<unknown>): Promise<unknown> {
  for (const [path, value] of Object.entries($refs.values()))
    for (const reference of listReferences(value, basename(path))) checkTarget({ path, reference }, $refs)
  const { info, servers } = (
    isJsonObject(schema) ? structuredClone({ info: schema.info, servers: schema.servers }) : {}
  ) as Json
  const whole = await combine()
  return isJsonObject(whole) ? { ...whole, info, servers } : whole
}

/** Refuses a reference to a single value: parts of a document are objects, and a text could be anything. */
function checkTarget(
  { path, reference }: { readonly path: string; readonly reference: string },
  $refs: Resolved['$refs'],
): void {
  const [file = '', pointer = ''] = reference.split('#', 2)
  const target =
    file === '' ? path : resolve(dirname(path), decodeURIComponent(file.replace(/^file:\/\//, '')))
  if (!isJsonObject($refs.get(`${target}#${pointer}`)))
    throw new DocumentError(
      `${basename(path)} refers to ${reference}, which is not an object; write the value itself`,
    )
}

/** Lets the library read files only through `reader`, and parse them only within the limits. */
function createOptions(reader: FileReader, yaml: Parser): object {
  return {
    resolve: {
      http: false,
      file: { order: 1, canRead: true, read: (given: Given) => reader.note(() => reader.read(given)) },
    },
    parse: {
      json: false,
      text: false,
      binary: false,
      yaml: {
        order: 1,
        canParse: true,
        parse: (given: Given) => reader.note(() => parseWithin(given, yaml)),
      },
    },
  }
}

interface Given {
  readonly url: string
  readonly extension: string
  readonly data: unknown
}

interface Parser {
  parse(file: Given): Promise<unknown>
}

/** Reads the files of one document. Only files in its folder can be read, however a reference spells the path. */
class FileReader {
  readonly #folder: string
  readonly #read = new Map<string, string>()
  readonly files = new Map<string, string>()
  #bytes = 0
  /** The first problem with one of the files. */
  problem: DocumentError | undefined

  constructor(file: string) {
    this.#folder = dirname(realOf(file))
  }

  text(file: string): string {
    return this.#read.get(realOf(file)) ?? ''
  }

  /** Does some work with a file, and keeps the problem if that fails. */
  async note<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof DocumentError) this.problem ??= error
      throw error
    }
  }

  read({ url }: Given): string {
    if (/^[a-z][\w+.-]+:/i.test(url) && !url.startsWith('file:'))
      throw new DocumentError(
        `it refers to ${url}, and nothing is fetched; save that file beside the document`,
      )
    const path = realOf(url.startsWith('file:') ? fileURLToPath(url) : decodeURIComponent(url))
    const place = relative(this.#folder, path)
    if (place === '..' || place.startsWith(`..${sep}`) || place.includes(':'))
      throw new DocumentError(
        `it refers to ${place}, which is outside the document's folder; move the file there`,
      )
    if (this.files.size > 0) checkPlace(this.#folder, place)
    // Taken before reading, so that no change in between goes unnoticed.
    this.files.set(path, markOf(path) ?? '')
    const text = readRegularFile(path, MOST_BYTES - this.#bytes)
      .toString()
      .replace(/^\uFEFF/, '')
    this.#bytes += text.length
    this.#read.set(path, text)
    return text
  }
}

/** Returns a string that changes when the file does; undefined if it is missing, as while an editor replaces it. */
export function markOf(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false })
  return stats && `${stats.ino} ${stats.size} ${stats.mtimeMs}`
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'cannot be read'
    throw new DocumentError(`${basename(path)} ${why}; correct the path`)
  }
}

/** Parses a text as JSON if it looks like JSON, because that is twenty times as fast, and as YAML otherwise. */
async function parseWithin(given: Given, yaml: Parser): Promise<unknown> {
  const isJson = /^\s*[{[]/.test(String(given.data).slice(0, 1000))
  const value = isJson ? parseJsonText(String(given.data), given.url) : await yaml.parse(given)
  checkSize(value, basename(given.url))
  checkContent(value, basename(given.url))
  if (value === undefined || typeof value !== 'object')
    throw new DocumentError(`${basename(given.url)}:1: ${NO_DOCUMENT}`)
  return value
}

const NO_DOCUMENT = 'this is not an OpenAPI document; give the file that starts with "openapi"'

function parseJsonText(text: string, url: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const [, at] = /position (\d+)/.exec((error as Error).message) ?? []
    const before = text.slice(0, at === undefined ? 0 : Number(at)).split('\n')
    const place = at === undefined ? '' : `:${before.length}:${(before.at(-1) ?? '').length + 1}`
    throw new DocumentError(`${basename(url)}${place}: this is not valid JSON; correct the text there`)
  }
}

/** Refuses a value that is too large to walk through. YAML aliases can turn a short text into a huge value. */
function checkSize(value: unknown, name: string): void {
  let left: readonly unknown[] = [value]
  let count = 0
  for (let depth = 0; left.length > 0; depth++) {
    count += left.length
    if (depth > MOST_DEPTH) throw new DocumentError(`${name} is nested more than ${MOST_DEPTH} levels deep`)
    const next: unknown[] = []
    for (const part of left) {
      if (typeof part !== 'object' || part === null) continue
      const members = Object.values(part)
      if (count + next.length + members.length > MOST_VALUES)
        throw new DocumentError(
          `${name} has more than ${MOST_VALUES} values; split the API into several documents`,
        )
      for (const member of members) next.push(member)
    }
    left = next
  }
}

interface Source {
  readonly name: string
  readonly text: () => string
}

function checkVersion(root: unknown, { name, text }: Source): Json {
  if (!isJsonObject(root))
    throw new DocumentError(
      `${name}:1: this is not an OpenAPI document; give the file that starts with "openapi"`,
    )
  const { openapi, swagger, paths } = root
  if (swagger !== undefined)
    throw new DocumentError(
      `${name}:${findLine(text(), 'swagger')}: this is Swagger ${typeof swagger === 'string' ? swagger : '2.0'}; convert it to OpenAPI 3, for example with swagger2openapi`,
    )
  if (typeof openapi !== 'string' || !/^3\.[01](\.|$)/.test(openapi))
    throw new DocumentError(
      `${name}:${findLine(text(), 'openapi')}: "openapi" must be a version from 3.0 to 3.1; correct the document`,
    )
  if (!isJsonObject(paths))
    throw new DocumentError(
      `${name}:${findLine(text(), 'paths')}: the document has no "paths"; add the operations of the API`,
    )
  return root
}

/** Says what a library complains about, without the absolute paths of this machine. */
function tell(error: unknown, folder: string): string {
  const { message } = error as Error
  const place = /\((\d+):(\d+)\)/.exec(message)
  const [first = ''] = message.split('\n')
  const said = first.replaceAll(`${folder}${sep}`, '').replaceAll(`file://${folder}/`, '')
  return place === null ? said : `line ${place[1]}, column ${place[2]}: ${said}`
}

/** Returns the line on which a top-level key of a YAML or JSON document is, or the first line. */
function findLine(text: string, key: string): number {
  const lines = text.slice(0, MOST_SEARCHED).split('\n')
  const at = lines.findIndex(line => {
    const start = line.trimStart()
    return start.startsWith(`${key}:`) || start.startsWith(`"${key}"`) || start.startsWith(`'${key}'`)
  })
  return at < 0 ? 1 : at + 1
}

const MOST_SEARCHED = 1_000_000
