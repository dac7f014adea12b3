import { createReadStream } from 'node:fs'
import { extname } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { attempt } from '../../base/attempt.ts'

/** A definition and its location. Tools with the same `server` are siblings. */
export interface LocatedTool {
  readonly file: string
  readonly line: number
  readonly server: string
  readonly definition: unknown
  /** The reason why the input at this location could not be read. Set instead of `definition`. */
  readonly unreadable?: string
}

/** Thrown if an input cannot be read at all, because the path is wrong or the file is not JSON, for example. */
export class UnreadableInput extends Error {
  readonly fix: string

  constructor(
    message: string,
    fix = 'name a file, a URL or a command line in quotes; see hintgate lint --help',
  ) {
    super(message)
    this.fix = fix
  }
}

export async function* readTools(file: string): AsyncGenerator<LocatedTool> {
  try {
    const stream = open(file)
    if (isJsonLines(file)) yield* readLines(file, stream)
    else yield* readDocument(file, await text(stream))
  } catch (error) {
    if (error instanceof UnreadableInput) throw error
    throw new UnreadableInput(`${file}: ${explain(error)}`)
  }
}

function open(file: string): Readable {
  const raw: Readable = file === '-' ? process.stdin : createReadStream(file)
  if (!file.endsWith('.gz')) return raw
  const unzipped = createGunzip()
  raw.on('error', (error: Error) => unzipped.destroy(error))
  return raw.pipe(unzipped)
}

function isJsonLines(file: string): boolean {
  const extension = extname(file.replace(/\.gz$/, ''))
  return extension === '.jsonl' || extension === '.ndjson'
}

async function* readLines(file: string, stream: Readable): AsyncGenerator<LocatedTool> {
  let line = 0
  const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
  // Errors are taken from the stream itself, because readline ignores them, and a missing file would look empty.
  const failure = new Promise<never>((_, reject) => stream.once('error', reject))
  failure.catch(() => {})
  const iterator = lines[Symbol.asyncIterator]()
  for (;;) {
    const next = await Promise.race([iterator.next(), failure])
    if (next.done) return
    line += 1
    if (next.value.trim() !== '') yield parseLine(file, line, next.value)
  }
}

function parseLine(file: string, line: number, content: string): LocatedTool {
  try {
    const definition: unknown = JSON.parse(content)
    return { file, line, server: serverOf(definition), definition }
  } catch (error) {
    return { file, line, server: '', definition: undefined, unreadable: explain(error) }
  }
}

function* readDocument(file: string, content: string): Generator<LocatedTool> {
  const document = parseDocument(content)
  if (document.kind === 'lines') {
    for (const [index, line] of content.split('\n').entries()) {
      if (line.trim() !== '') yield parseLine(file, index + 1, line)
    }
    return
  }
  if (document.kind === 'unreadable') throw new UnreadableInput(`${file}: ${document.reason}`, WITH_TOOLS)
  const tools = findTools(document.value)
  if (tools === undefined) throw new UnreadableInput(`${file}: no tools found`, WITH_TOOLS)
  const lineOf = createLineFinder(content)
  for (const definition of tools)
    yield { file, line: lineOf(definition), server: serverOf(definition), definition }
}

const WITH_TOOLS =
  'the input must be a tools/list result, an array of tools, JSON Lines, or an mcpb/dxt manifest'

type Document = { kind: 'json'; value: unknown } | { kind: 'lines' } | { kind: 'unreadable'; reason: string }

function parseDocument(content: string): Document {
  try {
    return { kind: 'json', value: JSON.parse(content.replace(/^\uFEFF/, '')) }
  } catch (error) {
    const [first = '', second = ''] = content.split('\n', 2)
    const isLines = isJson(first) && second.trim() !== ''
    return isLines ? { kind: 'lines' } : { kind: 'unreadable', reason: explain(error) }
  }
}

function isJson(line: string): boolean {
  return attempt(() => JSON.parse(line) as unknown) !== undefined
}

/** Finds a definition's line by its name. Tools come in order, so each search continues where the last one ended. */
function createLineFinder(content: string): (definition: unknown) => number {
  let offset = 0
  let line = 1
  return definition => {
    const name = (definition as { name?: unknown } | null)?.name
    if (typeof name !== 'string') return line
    const found = content.indexOf(JSON.stringify(name), offset)
    if (found < 0) return line
    for (let i = offset; i < found; i++) if (content.charCodeAt(i) === 10) line += 1
    offset = found
    return line
  }
}

function serverOf(definition: unknown): string {
  const server = (definition as { server?: unknown } | null)?.server
  return typeof server === 'string' ? server : ''
}

function explain(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return 'the file does not exist'
  if (code === 'EISDIR') return 'this is a folder, not a file'
  if (code === 'EACCES') return 'you are not allowed to read this file'
  return error instanceof SyntaxError ? `not JSON: ${message}` : message
}

/** True if a target is a URL or a command line, not a file. */
export function isLive(target: string): boolean {
  return isUrl(target) || /\s/.test(target.trim())
}

export function isUrl(target: string): boolean {
  return /^https?:\/\//i.test(target)
}

type Json = { readonly [key: string]: unknown }

/** Finds the tools in a list, a `tools/list` result or response, a manifest or a single definition. */
function findTools(document: unknown): readonly unknown[] | undefined {
  if (Array.isArray(document)) return document
  if (!isObject(document)) return undefined
  if (Array.isArray(document.tools)) return document.tools
  if (isObject(document.result)) return findTools(document.result)
  if (isManifest(document)) return []
  return typeof document.name === 'string' && 'inputSchema' in document ? [document] : undefined
}

/** True for a bundle's manifest, which can omit tools that the server creates at run time. */
function isManifest(document: Json): boolean {
  return 'manifest_version' in document || 'dxt_version' in document
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
