import { META_HINTS } from '../authoring/project-metadata.ts'
import { HINT_NAMES, HINTS, type HintName } from '../hint/hints.ts'
import { compareHint } from '../hint/strictness.ts'
import { readDefinition } from '../wire/read-definition.ts'
import { findJsonProblems, joinPath } from './json-problems.ts'
import { isObject } from './own-property.ts'
import type { ToolDefinition } from './tool-definition.ts'

export interface Change {
  readonly path: string
  readonly kind: 'added' | 'removed' | 'changed'
  readonly before?: unknown
  readonly after?: unknown
}

export interface HintChange {
  readonly hint: HintName
  readonly before: boolean | undefined
  readonly after: boolean | undefined
  readonly direction: 'loosened' | 'tightened'
}

export interface DefinitionDiff {
  /**
   * `tightened`: only hints changed, and all became stricter, so the change can apply immediately. `loosened`: a hint
   * became looser, or a text, a schema or another field changed, so a person must review the change.
   */
  readonly verdict: 'same' | 'tightened' | 'loosened'
  readonly changes: readonly Change[]
  readonly hints: readonly HintChange[]
}

const MAX_CHANGES = 500
/**
 * Objects that contain hints. If such an object is added or removed as a whole, each of its fields is reported as a
 * separate change.
 */
const HINT_HOMES = new Set(['annotations', '_meta', `_meta["${META_HINTS}"]`])
const HINT_PATHS = new Set(HINT_NAMES.flatMap(hint => hintPaths(hint)))

/**
 * Compares two versions of a definition, and reports whether each hint tightened or loosened.
 *
 * @example
 * import { diffDefinitions } from '@hintgate/metadata'
 * const before = { name: 'drop', annotations: { destructiveHint: true } }
 * const diff = diffDefinitions(before, { name: 'drop', annotations: { destructiveHint: false } })
 * diff.verdict // => 'loosened'
 * diff.hints // => [{ hint: 'destructive', before: true, after: false, direction: 'loosened' }]
 */
export function diffDefinitions(before: ToolDefinition, after: ToolDefinition): DefinitionDiff {
  const changes = findChanges(before, after)
  const hints = diffHints(before, after)
  return { verdict: judge(changes, hints), changes, hints }
}

function judge(changes: readonly Change[], hints: readonly HintChange[]): DefinitionDiff['verdict'] {
  if (changes.length === 0) return 'same'
  return changes.every(isHintChange) && hints.every(hint => hint.direction === 'tightened')
    ? 'tightened'
    : 'loosened'
}

/**
 * Returns true if a change affects nothing but a hint. A hint's field can contain anything, so the new value must be a
 * boolean or absent.
 */
function isHintChange({ path, after }: Change): boolean {
  return HINT_PATHS.has(path) && (after === undefined || typeof after === 'boolean')
}

function diffHints(before: ToolDefinition, after: ToolDefinition): HintChange[] {
  const [a, b] = [readDefinition(before).declared.hints, readDefinition(after).declared.hints]
  return HINT_NAMES.filter(hint => a[hint] !== b[hint]).map(hint => ({
    hint,
    before: a[hint],
    after: b[hint],
    direction: compareHint(hint, b[hint], a[hint]) < 0 ? 'loosened' : 'tightened',
  }))
}

function hintPaths(hint: HintName): string[] {
  const { wire } = HINTS[hint]
  return [`annotations.${wire}`, `annotations.${hint}`, `_meta["${META_HINTS}"].${wire}`]
}

function findChanges(before: unknown, after: unknown): Change[] {
  // A document that is not safe to traverse is reported as a single change.
  if (findJsonProblems(before).length > 0 || findJsonProblems(after).length > 0) {
    return Object.is(before, after) ? [] : [{ path: '', kind: 'changed', before, after }]
  }
  const changes: Change[] = []
  compare(before, after, '', changes)
  return changes
}

function compare(before: unknown, after: unknown, path: string, changes: Change[]): void {
  if (changes.length >= MAX_CHANGES || Object.is(before, after)) return
  if (HINT_HOMES.has(path) && (isFilled(before) || isFilled(after)))
    compareHomes({ before, after, path }, changes)
  else if (before === undefined) changes.push({ path, kind: 'added', after })
  else if (after === undefined) changes.push({ path, kind: 'removed', before })
  else if (isObject(before) && isObject(after)) compareKeys({ before, after, path }, changes)
  else if (Array.isArray(before) && Array.isArray(after)) compareItems({ before, after, path }, changes)
  else if (before !== after) changes.push({ path, kind: 'changed', before, after })
}

function isFilled(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length > 0
}

function compareHomes({ before = {}, after = {}, path }: Pair<unknown>, changes: Change[]): void {
  if (isObject(before) && isObject(after)) compareKeys({ before, after, path }, changes)
  else changes.push({ path, kind: 'changed', before, after })
}

type Pair<T> = { before: T; after: T; path: string }

function compareKeys(
  { before, after, path }: Pair<{ readonly [key: string]: unknown }>,
  changes: Change[],
): void {
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [a, b] = [before, after].map(side => (Object.hasOwn(side, key) ? side[key] : undefined))
    compare(a, b, joinPath(path, key), changes)
  }
}

function compareItems({ before, after, path }: Pair<readonly unknown[]>, changes: Change[]): void {
  for (let i = 0; i < Math.max(before.length, after.length); i++) {
    compare(before[i], after[i], `${path}[${i}]`, changes)
  }
}
