/** Folded key names: a list, or a predicate. */
type Names = Pick<ReadonlySet<string>, 'has'>

export type Step =
  | { readonly kind: 'key'; readonly names: Names }
  | { readonly kind: 'index'; readonly at: number }
  | { readonly kind: 'items' }
  | { readonly kind: 'any' }
  /** The value itself if it is not an object, or the items if it is a list. */
  | { readonly kind: 'scalars' }
  | { readonly kind: 'deep' }

/** The arguments that a rule checks, such as `to[*].address`. */
export interface FieldPath {
  readonly source: string
  readonly steps: readonly Step[]
}

const PIECE = /(?:^|\.)(\*\*|\*|[^.[\]*]+)|\[(\*|\d{1,6})\]/y
const MAX_STEPS = 16

/**
 * Parses a path: keys separated by dots, `[0]` and `[*]` for items, `*` for anything one level down, `**`
 * for any depth. Undefined if it is invalid.
 */
export function parseFieldPath(source: string): FieldPath | undefined {
  const steps: Step[] = []
  let at = 0
  while (at < source.length) {
    PIECE.lastIndex = at
    const match = PIECE.exec(source)
    if (match === null || steps.length >= MAX_STEPS) return undefined
    steps.push(toStep(match[1], match[2]))
    at = PIECE.lastIndex
  }
  return steps.length === 0 ? undefined : { source, steps }
}

function toStep(key: string | undefined, item: string | undefined): Step {
  if (key === '**') return { kind: 'deep' }
  if (key === '*') return { kind: 'any' }
  if (key !== undefined) return { kind: 'key', names: new Set([foldKey(key)]) }
  return item === '*' ? { kind: 'items' } : { kind: 'index', at: Number(item) }
}

export const EVERYTHING: readonly FieldPath[] = [{ source: '**', steps: [{ kind: 'deep' }] }]

/**
 * Paths to fields with any of these names at any depth, found in one traversal. `repo_name` also matches `repoName` and
 * `repo-name`.
 */
export function anyDepth(names: readonly string[] | Names): readonly FieldPath[] {
  const key: Step = { kind: 'key', names: 'has' in names ? names : inAnySpelling(names) }
  return [{ source: '', steps: [{ kind: 'deep' }, key] }]
}

function inAnySpelling(names: readonly string[]): Names {
  const joined = new Set(names.map(name => joinWords(foldKey(name))))
  return { has: name => joined.has(joinWords(name)) }
}

/** The words of a folded name without separators. */
export function joinWords(name: string): string {
  return name.includes('_') || name.includes('-') ? name.replaceAll(/[_-]+/g, '') : name
}

/**
 * Folds a key for comparison: case is ignored, and `ſ` counts as `s`, because some servers' JSON parsers do so. A
 * guardrail that is stricter about spelling than the server could be evaded.
 */
export function foldKey(key: string): string {
  for (let at = 0; at < key.length; at += 1) {
    const code = key.charCodeAt(at)
    if (code > 127 || (code >= 65 && code <= 90)) return key.toUpperCase().toLowerCase()
  }
  return key
}

/** Whether some server would read a key as this name: servers written in Go ignore case and fold some letters. */
export function readsAs(key: string, name: string): boolean {
  return key.length === name.length && foldKey(key) === name
}
