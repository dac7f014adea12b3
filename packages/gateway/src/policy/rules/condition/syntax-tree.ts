import type { ASTNode } from '@marcbachmann/cel-js'

const LOOPS = ['all', 'exists', 'exists_one', 'filter', 'map']

/** The parts of an expression that are expressions themselves. */
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

/** `list.all(x, x > 1)` and `cel.bind(x, 1, x > 0)`: what gives a name to something. */
export interface Binding {
  /** Where the name is written. */
  readonly at: ASTNode
  readonly name: string
  readonly isLoop: boolean
  /** What cannot see the name. */
  readonly outer: readonly ASTNode[]
  /** What can. */
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

/** The name that an access such as `a.b` or `a["b"]` looks up, if it is written there. */
export function accessedName(node: ASTNode): string | undefined {
  if (node.op === '.' || node.op === '.?') return node.args[1]
  if (node.op === '[]' || node.op === '[?]') return textOf(node.args[1])
  return undefined
}

/** What a text in quotes says. */
export function textOf(node: ASTNode | undefined): string | undefined {
  return node?.op === 'value' && typeof node.args === 'string' ? node.args : undefined
}
