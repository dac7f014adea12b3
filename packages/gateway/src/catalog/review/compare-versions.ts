import {
  type Change,
  type DefinitionDiff,
  diffDefinitions,
  HINTS,
  type HintChange,
  META_HINTS,
  type ToolDefinition,
} from '@hintgate/metadata'
import type { DefinitionVersion, Review, StoredDefinition } from '../../store/store.ts'
import { readDefinitionOf } from './review-item.ts'

interface TextChange {
  readonly path: string
  readonly before: string
  readonly after: string
}

export interface VersionDiff {
  readonly verdict: DefinitionDiff['verdict']
  readonly hints: readonly HintChange[]
  readonly texts: readonly TextChange[]
  /** Changes of everything other than hints and texts: schemas and other data. */
  readonly fields: readonly Change[]
  /** True if some changes are left out, because there are more than a person would read. */
  readonly isCut: boolean
}

/** Maximum number of changes that `diffDefinitions` returns. */
const MAX_CHANGES = 500

export function compareVersions(before: ToolDefinition, after: ToolDefinition): VersionDiff {
  const { verdict, changes, hints } = diffDefinitions(before, after)
  const told = new Set(hints.flatMap(({ hint }) => pathsOf(hint)))
  const texts: TextChange[] = []
  const fields: Change[] = []
  for (const change of changes) {
    if (told.has(change.path) && isOfHint(change)) continue
    const text = toTextChange(change)
    if (text === undefined) fields.push(change)
    else texts.push(text)
  }
  return { verdict, hints, texts, fields, isCut: changes.length >= MAX_CHANGES }
}

function pathsOf(hint: HintChange['hint']): readonly string[] {
  const { wire } = HINTS[hint]
  return [`annotations.${wire}`, `annotations.${hint}`, `_meta["${META_HINTS}"].${wire}`]
}

/** True for a change between two valid values of a hint. A server can send any other value. */
function isOfHint({ before, after }: Change): boolean {
  return isFlag(before) && isFlag(after)
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}

/** Returns a change of text. Undefined if a single word was replaced, which is shown as `before → after`. */
function toTextChange({ path, before, after }: Change): TextChange | undefined {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined
  return /\s/.test(before) || /\s/.test(after) ? { path, before, after } : undefined
}

/** Names in summaries for the first step of a path. Other fields appear under their own names. */
const AREAS: Readonly<Record<string, string>> = {
  title: 'text',
  description: 'text',
  text: 'text',
  inputSchema: 'schema',
  outputSchema: 'output schema',
  '': 'everything',
}

/** Summarises changes, such as `▼ destructiveHint`, `text`, `schema`: hints first, loosened before tightened. */
export function summariseChange({ hints, texts, fields }: VersionDiff): readonly string[] {
  const loosened = hints.filter(({ direction }) => direction === 'loosened')
  const tightened = hints.filter(({ direction }) => direction === 'tightened')
  const areas = [...texts, ...fields].map(({ path }) => areaOf(path))
  return [
    ...loosened.map(({ hint }) => `▼ ${HINTS[hint].wire}`),
    ...tightened.map(({ hint }) => `▲ ${HINTS[hint].wire}`),
    ...new Set(areas),
  ]
}

/** Matches the first step of a path: a plain key, or one in brackets and quotation marks. */
const STEP = /^(?:\["(?:[^"\\]|\\.)*"\]|[^.[]*)/

function areaOf(path: string): string {
  const [first = ''] = STEP.exec(path) ?? []
  return Object.hasOwn(AREAS, first) ? (AREAS[first] ?? first) : first
}

export interface HistoryEntry {
  readonly fingerprint: string
  readonly firstSeenAt: number
  readonly lastSeenAt: number
  readonly isCurrent: boolean
  readonly review?: Review
  /** A summary of the changes; empty for the first version. */
  readonly changes: readonly string[]
}

/** Describes every version, oldest first. */
export function describeHistory({ versions, current }: StoredDefinition): readonly HistoryEntry[] {
  return versions.map((version, index) => {
    const { fingerprint, firstSeenAt, lastSeenAt, review } = version
    return {
      fingerprint,
      firstSeenAt,
      lastSeenAt,
      isCurrent: fingerprint === current,
      ...(review === undefined ? {} : { review }),
      changes: changesSince(versions[index - 1], version),
    }
  })
}

function changesSince(before: DefinitionVersion | undefined, version: DefinitionVersion): readonly string[] {
  if (before === undefined) return []
  return summariseChange(compareVersions(readDefinitionOf(before), readDefinitionOf(version)))
}
