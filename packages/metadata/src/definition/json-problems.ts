/** Maximum nesting depth. Real schemas are shallower, and recursive code can read values of this depth safely later. */
const MAX_DEPTH = 200
/**
 * Maximum number of problems to report. It covers every mistake of a real author, and keeps a hostile document from
 * making the list endless.
 */
const MAX_PROBLEMS = 100
const MAX_NODES = 1_000_000

export interface JsonProblem {
  readonly path: string
  readonly problem: string
}

type Visit = { value: unknown; path: string; depth: number } | { leave: object }

/**
 * Lists every value that JSON cannot represent, each with its path: NaN, Infinity, functions, symbols, bigints,
 * undefined, dates and other class instances, cycles, lone surrogates, excessive depth. The search is iterative, so a
 * deeply nested value cannot overflow the stack.
 *
 * @example
 * import { findJsonProblems } from '@hintgate/metadata'
 * findJsonProblems({ limits: [1, Number.NaN] }, 'extras') // => [{ path: 'extras.limits[1]', problem: 'NaN' }]
 */
export function findJsonProblems(root: unknown, rootPath = ''): JsonProblem[] {
  const problems: JsonProblem[] = []
  const ancestors = new Set<object>()
  const stack: Visit[] = [{ value: root, path: rootPath, depth: 0 }]
  let nodes = 0
  while (stack.length > 0 && problems.length < MAX_PROBLEMS) {
    const visit = stack.pop() as Visit
    if ('leave' in visit) {
      ancestors.delete(visit.leave)
      continue
    }
    const { value, path, depth } = visit
    nodes += 1
    if (nodes > MAX_NODES) {
      problems.push({ path, problem: `more than ${MAX_NODES} values` })
      break
    }
    const problem = problemOf(value, ancestors, depth)
    if (problem !== undefined) {
      problems.push({ path, problem })
      continue
    }
    if (typeof value !== 'object' || value === null) continue
    ancestors.add(value)
    stack.push({ leave: value })
    pushChildren(stack, { value, path, depth })
  }
  return problems
}

function pushChildren(stack: Visit[], parent: { value: object; path: string; depth: number }): void {
  const depth = parent.depth + 1
  if (Array.isArray(parent.value)) {
    for (let i = parent.value.length - 1; i >= 0; i--) {
      stack.push({ value: parent.value[i], path: `${parent.path}[${i}]`, depth })
    }
    return
  }
  for (const [key, value] of Object.entries(parent.value).toReversed()) {
    // A property that is undefined is not a problem, because `JSON.stringify` omits it.
    if (value !== undefined) stack.push({ value, path: joinPath(parent.path, key), depth })
  }
}

function problemOf(value: unknown, ancestors: ReadonlySet<object>, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return value.isWellFormed() ? undefined : 'a lone surrogate'
    case 'number':
      return Number.isFinite(value) ? undefined : String(value)
    case 'boolean':
      return undefined
    case 'object':
      return value === null ? undefined : problemOfObject(value, ancestors, depth)
    default:
      return typeof value
  }
}

function problemOfObject(value: object, ancestors: ReadonlySet<object>, depth: number): string | undefined {
  if (ancestors.has(value)) return 'a cycle'
  if (depth > MAX_DEPTH) return `more than ${MAX_DEPTH} levels of nesting`
  if (Array.isArray(value)) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  // A plain object from another realm has that realm's Object.prototype, whose own prototype is null.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return className(value)
  if (Object.getOwnPropertySymbols(value).length > 0) return 'a symbol key'
  const badKey = Object.keys(value).find(key => !key.isWellFormed())
  return badKey === undefined ? undefined : 'a key with a lone surrogate'
}

function className(value: object): string {
  const name: unknown = value.constructor?.name
  return typeof name === 'string' && name !== '' ? name : 'a class instance'
}

/** Appends a key to a dotted path. A key that is not a simple word is quoted, and a long key is shortened. */
export function joinPath(path: string, key: string): string {
  const plain = /^[\w$-]{1,64}$/.test(key)
  const step = plain ? key : `[${JSON.stringify(key.length > 64 ? `${key.slice(0, 63)}…` : key)}]`
  return plain && path !== '' ? `${path}.${step}` : `${path}${step}`
}
