import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { createGunzip, type Gunzip } from 'node:zlib'

/** A row of a file, or its problem. An invalid row never stops an evaluation. */
export type Row =
  | { readonly kind: 'value'; readonly value: unknown; readonly place: string }
  | { readonly kind: 'problem'; readonly problem: string; readonly place: string }

/** The `*.jsonl` and `*.jsonl.gz` files of a folder, in a stable order. */
export async function listJsonl(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter(name => name.endsWith('.jsonl') || name.endsWith('.jsonl.gz'))
    .sort()
    .map(name => join(folder, name))
}

/** Streams the rows of a file. A row's place is `file:line`; a truncated file ends with a problem. */
export async function* readJsonl(file: string): AsyncGenerator<Row> {
  let line = 0
  try {
    for await (const content of readLines(file)) {
      line += 1
      if (content.trim() !== '') yield parseRow(content, `${file}:${line}`)
    }
  } catch (error) {
    yield { kind: 'problem', problem: messageOf(error), place: `${file}:${line + 1}` }
  }
}

/** Not node:readline, because it lets an input error (a broken archive) escape as an uncaught exception. */
async function* readLines(file: string): AsyncGenerator<string> {
  const source = createReadStream(file)
  const bytes = file.endsWith('.gz') ? compose(source, createGunzip()) : source
  let rest = ''
  for await (const chunk of bytes.setEncoding('utf8')) {
    const lines = `${rest}${String(chunk)}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
  if (rest !== '') yield rest
}

function compose(source: Readable, unzip: Gunzip): Gunzip {
  source.on('error', error => unzip.destroy(error))
  return source.pipe(unzip)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function parseRow(content: string, place: string): Row {
  try {
    return { kind: 'value', value: JSON.parse(content), place }
  } catch (error) {
    return { kind: 'problem', problem: messageOf(error), place }
  }
}
