import type { ASTNode } from '@marcbachmann/cel-js'

const LOOPS = ['all', 'exists', 'exists_one', 'filter', 'map']

/** Returns the parts of an expression that are themselves expressions. */
export function partsOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return []
    case '.':
    case '.?':
      return [node.args[0]]
    case 'call':
      return node.args[1]
    case 'rcall':
      return [node.args[1], ...node.args[2]]
    case 'map':
      return node.args.flat()
    case '!_':
    case '-_':
      return [node.args]
    default:
      return node.args
  }
}

/** An expression that binds a name: `list.all(x, x > 1)` or `cel.bind(x, 1, x > 0)`. */
interface Binding {
  /** The node that contains the name. */
  readonly at: ASTNode
  readonly name: string
  readonly isLoop: boolean
  /** The parts of the expression in which the name is not known. */
  readonly outer: readonly ASTNode[]
  /** The parts of the expression in which the name is known. */
  readonly inner: readonly ASTNode[]
}

export function bindingOf(node: ASTNode): Binding | undefined {
  if (node.op !== 'rcall') return undefined
  const [method, receiver, [at, ...rest]] = node.args
  if (at?.op !== 'id') return undefined
  const name = at.args
  if (LOOPS.includes(method) && rest.length > 0)
    return { at, name, isLoop: true, outer: [receiver], inner: rest }
  const isBind = method === 'bind' && receiver.op === 'id' && receiver.args === 'cel'
  return isBind ? { at, name, isLoop: false, outer: rest.slice(0, 1), inner: rest.slice(1) } : undefined
}

/** Returns the name that `a.b` or `a["b"]` accesses, if it is a constant. */
export function accessedName(node: ASTNode): string | undefined {
  if (node.op === '.' || node.op === '.?') return node.args[1]
  if (node.op === '[]' || node.op === '[?]') return textOf(node.args[1])
  return undefined
}

export function textOf(node: ASTNode | undefined): string | undefined {
  return node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined
}

/** Variables that come from the agent, so that the agent controls their size. */
const FROM_AGENT: readonly string[] = ['args', 'intent']

export function hasLoop(node: ASTNode): boolean {
  return bindingOf(node)?.isLoop === true || partsOf(node).some(hasLoop)
}

/**
 * Rewrites an expression so that every loop calls `__step` before it handles an element. Once the budget is spent,
 * `__step` throws before any more work is done. This is needed because the library limits only the length of the
 * source, not the run time.
 */
export function boundLoops(node: ASTNode, bound: readonly string[] = FROM_AGENT): string {
  const write = (part: ASTNode): string => boundLoops(part, bound)
  const binding = bindingOf(node)
  if (binding !== undefined && node.op === 'rcall') {
    const [method, receiver] = node.args
    const inside = [...bound, binding.name]
    const inner = binding.inner.map(part => boundLoops(part, inside))
    const guarded = binding.isLoop ? guard(inner, method, readsOtherElements(binding.inner, bound)) : inner
    const outer = binding.isLoop ? [] : binding.outer.map(write)
    return `${write(receiver)}.${method}(${[binding.name, ...outer, ...guarded].join(', ')})`
  }
  switch (node.op) {
    case 'value':
    case 'id':
      return node.input.slice(node.start, node.end)
    case '.':
    case '.?':
      return `${write(node.args[0])}${node.op}${node.args[1]}`
    case '[]':
      return `${write(node.args[0])}[${write(node.args[1])}]`
    case '[?]':
      return `${write(node.args[0])}[?${write(node.args[1])}]`
    case 'call':
      return `${node.args[0]}(${node.args[1].map(write).join(', ')})`
    case 'rcall':
      return `${write(node.args[1])}.${node.args[0]}(${node.args[2].map(write).join(', ')})`
    case 'list':
      return `[${node.args.map(write).join(', ')}]`
    case 'map':
      return `{${node.args.map(([key, value]) => `${write(key)}: ${write(value)}`).join(', ')}}`
    case '?:': {
      const [condition, yes, no] = node.args
      return `(${write(condition)} ? ${write(yes)} : ${write(no)})`
    }
    case '!_':
    case '-_':
      return `(${node.op[0]}${write(node.args)})`
    default: {
      const [left, right] = node.args
      // `a && b && c` is written without inner brackets, because they would make a long chain deeply nested.
      const first = left.op === node.op ? write(left).slice(1, -1) : write(left)
      return `(${first} ${node.op} ${write(right)})`
    }
  }
}

/** Adds the call of `__step` to the first inner expression of a loop, which is evaluated for every element. */
function guard(
  [first = '', ...rest]: readonly string[],
  method: string,
  readsOthers: boolean,
): readonly string[] {
  const isTest = method !== 'map' || rest.length > 0
  return [`(__step(${readsOthers}) ? ${first} : ${isTest ? 'false' : 'dyn(null)'})`, ...rest]
}

/**
 * Whether a step reads more than its own element. If no step does, all steps together cost no more than the size of the
 * list.
 */
function readsOtherElements(parts: readonly ASTNode[], bound: readonly string[]): boolean {
  return parts.some(
    part => (part.op === 'id' && bound.includes(part.args)) || readsOtherElements(partsOf(part), bound),
  )
}
