import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { listJsonl } from '../data/read-jsonl.ts'

/** What a table of weights says of itself, so that a reader knows where the weights came from. */
export interface Provenance {
  readonly command: string
  readonly rows: number
  readonly groups: number
  /** SHA-256 of the data files, in order. */
  readonly data: string
  /** Scores on groups that training had not seen. */
  readonly unseen: Readonly<Record<string, number>>
}

export async function fingerprintFolder(folder: string): Promise<string> {
  const hash = createHash('sha256')
  for (const file of await listJsonl(folder)) hash.update(await readFile(file))
  return hash.digest('hex')
}

/** One weight per line, so that a diff of two trainings can be read. */
export async function writeTable(
  file: string,
  provenance: Provenance,
  table: { readonly weights: Readonly<Record<string, readonly number[]>> },
): Promise<number> {
  const { weights, ...rest } = table
  const lines = Object.entries(weights).map(
    ([id, own]) => `    ${JSON.stringify(id)}: ${JSON.stringify(own)}`,
  )
  const head = Object.entries({ about: provenance, ...rest }).map(
    ([name, value]) => `  ${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  const text = `{\n${head.join(',\n')},\n  "weights": {\n${lines.join(',\n')}\n  }\n}\n`
  await writeFile(file, text)
  return Buffer.byteLength(text)
}
