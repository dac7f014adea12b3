import { stem } from './stem.ts'
import { KINDS, SYNONYMS } from './thesaurus-words.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Made of the tables by the first search: a start need not wait for it. */
let related: ReadonlyMap<string, ReadonlySet<string>> | undefined

/** Stems that may stand for a stem, in a fixed order. */
export function findRelated(stemmed: string): ReadonlySet<string> {
  related ??= readTables()
  return related.get(stemmed) ?? NOTHING
}

function readTables(): Map<string, Set<string>> {
  const tables = new Map<string, Set<string>>()
  for (const group of SYNONYMS.split(', ')) {
    const stems = group.split(' ').map(stem)
    for (const from of stems) relate(tables, from, stems)
  }
  for (const line of KINDS.split(', ')) {
    const [kind = '', members = ''] = line.split(': ')
    for (const member of members.split(' ')) relate(tables, stem(member), [stem(kind)])
  }
  return tables
}

function relate(tables: Map<string, Set<string>>, from: string, to: readonly string[]): void {
  const own = tables.get(from) ?? new Set()
  for (const other of to) if (other !== from) own.add(other)
  tables.set(from, own)
}
