import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SearchDocument } from '@hintgate/gateway/search'
import { listJsonl, readJsonl } from '../data/read-jsonl.ts'

export interface Query {
  readonly text: string
  readonly relevant: ReadonlySet<string>
}

export interface RetrievalSet {
  readonly name: string
  readonly tools: readonly SearchDocument[]
  readonly queries: readonly Query[]
}

export interface LoadedSets {
  readonly sets: readonly RetrievalSet[]
  readonly problems: readonly string[]
}

/** Every folder in `DIR/retrieval` that has tools and queries, by name. */
export async function loadSets(dataFolder: string): Promise<LoadedSets> {
  const folder = join(dataFolder, 'retrieval')
  const entries = await readdir(folder, { withFileTypes: true })
  const sets: RetrievalSet[] = []
  const problems: string[] = []
  const names = entries.filter(entry => !entry.isFile()).map(({ name }) => name)
  for (const name of names.sort()) {
    const files = await listJsonl(join(folder, name)).catch(() => [])
    const read = <T>(what: string, parse: (row: unknown) => T | undefined): Promise<T[]> =>
      readRows(
        files.filter(file => basename(file).startsWith(`${what}.jsonl`)),
        { parse, problems },
      )
    const tools = await read('tools', readTool)
    const queries = await read('queries', readQuery)
    if (tools.length > 0 && queries.length > 0) sets.push({ name, tools, queries })
    else problems.push(`${join(folder, name)}: tools.jsonl(.gz) or queries.jsonl(.gz) is missing`)
  }
  return { sets, problems }
}

/** The rows of files. An invalid row is reported and skipped. */
export async function readRows<T>(
  files: readonly string[],
  { parse, problems }: { readonly parse: (row: unknown) => T | undefined; readonly problems: string[] },
): Promise<T[]> {
  const values: T[] = []
  for (const file of files) {
    for await (const row of readJsonl(file)) {
      const value = row.kind === 'value' ? parse(row.value) : undefined
      if (value !== undefined) values.push(value)
      else
        problems.push(
          `${row.place}: ${row.kind === 'problem' ? row.problem : 'the row has an unexpected shape'}`,
        )
    }
  }
  return values
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function readText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function readTexts(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter(item => typeof item === 'string') : []
}

export function readTool(row: unknown): SearchDocument | undefined {
  if (!isRecord(row) || typeof row.name !== 'string') return undefined
  const server = readText(row.server)
  return {
    id: typeof row.id === 'string' ? row.id : `${server}:${row.name}`,
    server,
    name: row.name,
    title: readText(row.title),
    description: readText(row.description),
    inputSchema: row.inputSchema,
    domains: readTexts(row.domains),
    tags: readTexts(row.tags),
  }
}

function readQuery(row: unknown): Query | undefined {
  if (!isRecord(row) || typeof row.query !== 'string') return undefined
  const relevant = new Set(readTexts(row.relevant))
  return relevant.size === 0 ? undefined : { text: row.query, relevant }
}
