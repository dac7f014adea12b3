/** A set of folded key names, or anything else with a `has` function. */
type Names = Pick<ReadonlySet<string>, 'has'>

export type Step =
  | { readonly kind: 'key'; readonly names: Names }
  | { readonly kind: 'index'; readonly at: number }
  | { readonly kind: 'items' }
  | { readonly kind: 'any' }
  /** Selects the value itself if it is not an object, or its items if it is a list. */
  | { readonly kind: 'scalars' }
  | { readonly kind: 'deep' }

/** A path to the arguments that a rule checks, such as `to[*].address`. */
export interface FieldPath {
  readonly source: string
  readonly steps: readonly Step[]
}

const PIECE = /(?:^|\.)(\*\*|\*|[^.[\]*]+)|\[(\*|\d{1,6})\]/y
const MAX_STEPS = 16

/**
 * Parses a path: keys separated by dots, `[0]` and `[*]` for items, `*` for anything one level down, `**` for any
 * depth. Returns undefined if the path is invalid.
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
 * Returns paths to all fields with one of these names, at any depth. One pass through the arguments finds them all.
 * `repo_name` also matches `repoName` and `repo-name`.
 */
export function anyDepth(names: readonly string[] | Names): readonly FieldPath[] {
  const key: Step = { kind: 'key', names: 'has' in names ? names : inAnySpelling(names) }
  return [{ source: '', steps: [{ kind: 'deep' }, key] }]
}

function inAnySpelling(names: readonly string[]): Names {
  const joined = new Set(names.map(name => joinWords(foldKey(name))))
  return { has: name => joined.has(joinWords(name)) }
}

/** Returns a folded name without the separators between its words. */
export function joinWords(name: string): string {
  return name.includes('_') || name.includes('-') ? name.replaceAll(/[_-]+/g, '') : name
}

/**
 * Folds a key for comparison. Case is ignored and `ſ` counts as `s`, because the JSON parsers of some servers do the
 * same. A guardrail that is stricter about spelling than the server could be evaded.
 */
export function foldKey(key: string): string {
  for (let at = 0; at < key.length; at += 1) {
    const code = key.charCodeAt(at)
    if (code > 127 || (code >= 65 && code <= 90)) return key.toUpperCase().toLowerCase()
  }
  return key
}

/** Whether some servers would read a key as this name. Servers written in Go ignore case and fold some letters. */
export function readsAs(key: string, name: string): boolean {
  return key.length === name.length && foldKey(key) === name
}
