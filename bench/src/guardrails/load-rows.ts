import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { readJsonl } from '../data/read-jsonl.ts'

/** Personal data in a text, as labelled by people. */
export interface Span {
  readonly type: string
  readonly start: number
  readonly end: number
}

/** A labelled text. */
export interface Sample {
  readonly place: string
  readonly kind: string
  /** Rows of one template or source; training sees all of them or none. */
  readonly group: string
  readonly label: string
  readonly text: string
  readonly spans: readonly Span[]
}

export interface Samples {
  readonly rows: readonly Sample[]
  readonly problems: readonly string[]
}

export const FILES = ['secrets', 'pii', 'prompt_injection'] as const

/** The rows of `attacks/NAME.jsonl`, or the same with `.gz`. */
export async function loadSamples(dataFolder: string, name: (typeof FILES)[number]): Promise<Samples> {
  const plain = join(dataFolder, 'attacks', `${name}.jsonl`)
  const file = await access(plain).then(
    () => plain,
    () => `${plain}.gz`,
  )
  const rows: Sample[] = []
  const problems: string[] = []
  for await (const row of readJsonl(file)) {
    const sample = row.kind === 'value' ? readSample(row.value, row.place) : undefined
    if (sample !== undefined) rows.push(sample)
    else problems.push(`${row.place}: ${row.kind === 'problem' ? row.problem : 'invalid row'}`)
  }
  return { rows, problems }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readSample(row: unknown, place: string): Sample | undefined {
  if (!isRecord(row) || typeof row.text !== 'string' || typeof row.label !== 'string') return undefined
  return {
    place,
    kind: typeof row.kind === 'string' ? row.kind : 'unknown',
    group: groupOf(row),
    label: row.label,
    text: row.text,
    spans: Array.isArray(row.spans) ? row.spans.flatMap(readSpan) : [],
  }
}

/** Attacks are grouped by template, whatever language they were translated to; other rows by source. */
function groupOf({ label, variant, source }: Record<string, unknown>): string {
  const isTemplate = label === 'malicious' && typeof variant === 'string'
  return String(isTemplate ? variant : source)
}

/** Offsets in the data count code points, while JavaScript counts UTF-16 units. */
function readSpan(span: unknown): readonly Span[] {
  if (!isRecord(span)) return []
  const { type, start, end } = span
  return typeof type === 'string' && typeof start === 'number' && typeof end === 'number'
    ? [{ type, start, end }]
    : []
}
