import { join } from 'node:path'
import type { ToolDefinition } from '@hintgate/metadata'
import { listJsonl, readJsonl } from '../data/read-jsonl.ts'

/** A tool with its author's annotations: the input of inference, and the labels it is scored against. */
export interface AnnotatedTool {
  readonly vendor: string
  readonly server: string
  readonly definition: ToolDefinition
  readonly authored: Authored
}

/** The author's hints; absent is not false. */
export interface Authored {
  readonly readOnly?: boolean
  readonly destructive?: boolean
  readonly idempotent?: boolean
  readonly openWorld?: boolean
}

export interface LoadedTools {
  readonly tools: readonly AnnotatedTool[]
  readonly files: number
  readonly problems: readonly string[]
}

export async function loadTools(dataFolder: string): Promise<LoadedTools> {
  const files = await listJsonl(join(dataFolder, 'annotations'))
  const tools: AnnotatedTool[] = []
  const problems: string[] = []
  for (const file of files) {
    for await (const row of readJsonl(file)) {
      const tool = row.kind === 'value' ? readTool(row.value) : undefined
      if (tool !== undefined) tools.push(tool)
      else
        problems.push(
          `${row.place}: ${row.kind === 'problem' ? row.problem : 'invalid tool: it has no name'}`,
        )
    }
  }
  return { tools, files: files.length, problems }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Annotations are removed from the definition, so that inference cannot see the labels. */
export function readTool(row: unknown): AnnotatedTool | undefined {
  if (!isRecord(row) || typeof row.name !== 'string') return undefined
  const definition: ToolDefinition = {
    name: row.name,
    ...pick(row, ['title', 'description', 'inputSchema', 'outputSchema']),
  }
  return {
    vendor: typeof row.vendor === 'string' ? row.vendor : 'unknown',
    server: typeof row.server === 'string' ? row.server : 'unknown',
    definition,
    authored: readAuthored(row.annotations),
  }
}

function pick(row: Record<string, unknown>, keys: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(keys.filter(key => row[key] !== undefined).map(key => [key, row[key]]))
}

function readAuthored(annotations: unknown): Authored {
  if (!isRecord(annotations)) return {}
  const authored: Record<string, boolean> = {}
  for (const hint of ['readOnly', 'destructive', 'idempotent', 'openWorld']) {
    const value = annotations[`${hint}Hint`]
    if (typeof value === 'boolean') authored[hint] = value
  }
  return authored
}
