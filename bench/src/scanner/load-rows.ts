import { access } from 'node:fs/promises'
import { join } from 'node:path'
import type { ScanContext, ToolDefinition } from '@hintgate/metadata'
import { listJsonl, readJsonl } from '../data/read-jsonl.ts'
import { readTool } from '../inference/load-tools.ts'

/** A labelled description, as a tool for the scanner. */
export interface LabelledRow {
  readonly place: string
  readonly kind: string
  readonly isMalicious: boolean
  /** The repository or package that the row comes from. */
  readonly source: string
  readonly definition: ToolDefinition
  readonly context: ScanContext
}

/** A vendor's tool, assumed to be benign. */
export interface VendorTool {
  readonly vendor: string
  readonly definition: ToolDefinition
}

export interface Loaded<T> {
  readonly rows: readonly T[]
  readonly problems: readonly string[]
}

const FILE = 'tool_descriptions.jsonl'
const FIELDS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  '_meta',
] as const

/** The labelled descriptions, from `attacks/tool_descriptions.jsonl` or the same with `.gz`. */
export async function loadRows(dataFolder: string): Promise<Loaded<LabelledRow>> {
  const plain = join(dataFolder, 'attacks', FILE)
  const file = await access(plain).then(
    () => plain,
    () => `${plain}.gz`,
  )
  return collect([file], readRow)
}

/** Vendors' tools from `annotations/` and `unannotated/`, if those folders exist. */
export async function loadVendorTools(dataFolder: string): Promise<Loaded<VendorTool>> {
  const folders = ['annotations', 'unannotated'].map(name => join(dataFolder, name))
  const files = await Promise.all(folders.map(folder => listJsonl(folder).catch(() => [])))
  return collect(files.flat(), readTool)
}

async function collect<T>(
  files: readonly string[],
  read: (value: unknown, place: string) => T | undefined,
): Promise<Loaded<T>> {
  const rows: T[] = []
  const problems: string[] = []
  for (const file of files) {
    for await (const row of readJsonl(file)) {
      const value = row.kind === 'value' ? read(row.value, row.place) : undefined
      if (value !== undefined) rows.push(value)
      else problems.push(`${row.place}: ${row.kind === 'problem' ? row.problem : 'invalid row'}`)
    }
  }
  return { rows, problems }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Rows hold a text, or a tool, or a tool's name with the text of its description. */
export function readRow(row: unknown, place: string): LabelledRow | undefined {
  if (!isRecord(row) || (row.label !== 'malicious' && row.label !== 'benign')) return undefined
  const tool = isRecord(row.tool) ? row.tool : { name: row.tool }
  const description = tool.description ?? row.text
  if (typeof description !== 'string') return undefined
  return {
    place,
    kind: typeof row.kind === 'string' ? row.kind : 'unknown',
    isMalicious: row.label === 'malicious',
    source: typeof row.source === 'string' ? (row.source.split(/[:@](?=.)/)[0] ?? '') : 'unknown',
    definition: { ...pick(tool), name: typeof tool.name === 'string' ? tool.name : '', description },
    context: {
      ...(typeof row.server === 'string' ? { server: row.server } : {}),
      otherTools: readPeers(row.peers),
    },
  }
}

function readPeers(peers: unknown): readonly string[] {
  if (!Array.isArray(peers)) return []
  return peers.flatMap((peer: unknown) => {
    if (!isRecord(peer) || !isRecord(peer.tool) || typeof peer.tool.name !== 'string') return []
    return [typeof peer.server === 'string' ? `${peer.server}:${peer.tool.name}` : peer.tool.name]
  })
}

function pick(row: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    FIELDS.filter(field => row[field] !== undefined).map(field => [field, row[field]]),
  )
}
