import {
  type Change,
  type DefinitionDiff,
  diffDefinitions,
  HINTS,
  type HintChange,
  META_HINTS,
  type ToolDefinition,
} from '@hintgate/metadata'

interface TextChange {
  readonly path: string
  readonly before: string
  readonly after: string
}

/** What a reviewer has to look at between two versions of a definition. */
export interface VersionDiff {
  readonly verdict: DefinitionDiff['verdict']
  readonly hints: readonly HintChange[]
  /** Where words changed. */
  readonly texts: readonly TextChange[]
  /** Everything else: schemas and other data. */
  readonly fields: readonly Change[]
  /** There are more changes than anybody would read, and not all are here. */
  readonly isCut: boolean
}

/** `diffDefinitions` tells no more. */
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

/** Where a hint may be written. */
function pathsOf(hint: HintChange['hint']): readonly string[] {
  const { wire } = HINTS[hint]
  return [`annotations.${wire}`, `annotations.${hint}`, `_meta["${META_HINTS}"].${wire}`]
}

/** Anything may stand where a hint should; only what can be one is told as one. */
function isOfHint({ before, after }: Change): boolean {
  return isFlag(before) && isFlag(after)
}

function isFlag(value: unknown): boolean {
  return value === undefined || typeof value === 'boolean'
}

/** Words changed; one word for another reads better as `before → after`. */
function toTextChange({ path, before, after }: Change): TextChange | undefined {
  if (typeof before !== 'string' || typeof after !== 'string') return undefined
  return /\s/.test(before) || /\s/.test(after) ? { path, before, after } : undefined
}
