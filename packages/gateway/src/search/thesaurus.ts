import { stem } from './stem.ts'
import { KINDS, SYNONYMS } from './thesaurus-words.ts'

const NOTHING: ReadonlySet<string> = new Set()

/** Stems that may stand for a stem, in a fixed order. */
export function findRelated(stemmed: string): ReadonlySet<string> {
  return RELATED.get(stemmed) ?? NOTHING
}

const RELATED: ReadonlyMap<string, ReadonlySet<string>> = readTables()

function readTables(): Map<string, Set<string>> {
  const related = new Map<string, Set<string>>()
  for (const group of SYNONYMS.split(', ')) {
    const stems = group.split(' ').map(stem)
    for (const from of stems) relate(related, from, stems)
  }
  for (const line of KINDS.split(', ')) {
    const [kind = '', members = ''] = line.split(': ')
    for (const member of members.split(' ')) relate(related, stem(member), [stem(kind)])
  }
  return related
}

function relate(related: Map<string, Set<string>>, from: string, to: readonly string[]): void {
  const own = related.get(from) ?? new Set()
  for (const other of to) if (other !== from) own.add(other)
  related.set(from, own)
}
