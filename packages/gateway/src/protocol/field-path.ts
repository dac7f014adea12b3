/** Names of keys, folded: listed ones, or all of a kind. */
type Names = Pick<ReadonlySet<string>, 'has'>

export type Step =
  | { readonly kind: 'key'; readonly names: Names }
  | { readonly kind: 'index'; readonly at: number }
  | { readonly kind: 'items' }
  | { readonly kind: 'any' }
  /** A value that is no object, and those of lists. */
  | { readonly kind: 'scalars' }
  | { readonly kind: 'deep' }

/** Which arguments a rule looks at, such as `to[*].address`. */
export interface FieldPath {
  readonly source: string
  readonly steps: readonly Step[]
}

const PIECE = /(?:^|\.)(\*\*|\*|[^.[\]*]+)|\[(\*|\d{1,6})\]/y
const MAX_STEPS = 16

/**
 * Reads a path: keys with dots between them, `[0]` and `[*]` for items, `*` for anything one level down, `**`
 * for any depth. Undefined: it cannot be read.
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

/** Fields by any of several names, at any depth: one walk for all of them. `repo_name` is `repoName` and `repo-name`, too. */
export function anyDepth(names: readonly string[] | Names): readonly FieldPath[] {
  const key: Step = { kind: 'key', names: 'has' in names ? names : inAnySpelling(names) }
  return [{ source: '', steps: [{ kind: 'deep' }, key] }]
}

function inAnySpelling(names: readonly string[]): Names {
  const joined = new Set(names.map(name => joinWords(foldKey(name))))
  return { has: name => joined.has(joinWords(name)) }
}

/** The words of a folded name without what stands between them. */
export function joinWords(name: string): string {
  return name.includes('_') || name.includes('-') ? name.replaceAll(/[_-]+/g, '') : name
}

/**
 * Keys are compared without case, and with `ſ` as `s`: some servers' JSON readers do so, and a guardrail that
 * is stricter about spelling than the server can be walked around.
 */
export function foldKey(key: string): string {
  for (let at = 0; at < key.length; at += 1) {
    const code = key.charCodeAt(at)
    if (code > 127 || (code >= 65 && code <= 90)) return key.toUpperCase().toLowerCase()
  }
  return key
}
