import type { ASTNode } from '@marcbachmann/cel-js'
import { type Attribute, GROUPS, type Group, isGroup, VARIABLES } from './attributes.ts'
import { checkCall } from './check-call.ts'
import type { Complaint } from './complaint.ts'
import { suggest } from './suggest.ts'
import { accessedName, bindingOf, partsOf, textOf } from './syntax-tree.ts'

/**
 * Everything that a condition names and that is not there. The type checker alone would let `has(tool.titel)`,
 * `tool.?titel` and `tool.variant == "reed"` pass, and such a rule would never speak.
 */
export function checkNames(root: ASTNode): readonly Complaint[] {
  const complaints: Complaint[] = []
  const complain = (node: ASTNode, message: string, fix: string): void => {
    complaints.push({ offset: node.pos, message, fix })
  }

  const named = new Map<ASTNode, Attribute>()

  /** What a node names, if it names a part of the call. */
  function resolve(node: ASTNode, bound: ReadonlySet<string>): Attribute | Group | undefined {
    if (node.op === 'id') return bound.has(node.args) ? undefined : groupOf(node.args)
    if (node.op === '.' || node.op === '.?' || node.op === '[]' || node.op === '[?]') {
      const found = resolve(node.args[0], bound)
      if (node.op === '[]' || node.op === '[?]') visit(node.args[1], bound)
      return found !== undefined && isGroup(found) ? lookUp(found, node) : undefined
    }
    complaints.push(...checkCall(node))
    const binding = bindingOf(node)
    if (binding === undefined) for (const part of partsOf(node)) visit(part, bound)
    else {
      if (VARIABLES.includes(binding.name))
        complain(binding.at, `\`${binding.name}\` already means something else`, 'choose another name')
      for (const part of binding.outer) visit(part, bound)
      for (const part of binding.inner) visit(part, new Set([...bound, binding.name]))
    }
    if (node.op === '==' || node.op === '!=' || node.op === 'in') compare(node.args)
    return undefined
  }

  function visit(node: ASTNode, bound: ReadonlySet<string>): void {
    const found = resolve(node, bound)
    if (found === undefined) return
    if (!isGroup(found)) named.set(node, found)
    else {
      const keys = Object.keys(found.fields).join(', ')
      complain(node, `\`${sourceOf(node)}\` is a group of attributes`, `name one of its attributes: ${keys}`)
    }
  }

  function lookUp(group: Group, node: ASTNode): Attribute | Group | undefined {
    const name = accessedName(node)
    const whole = sourceOf(partsOf(node)[0] ?? node)
    const keys = Object.keys(group.fields)
    const found = name !== undefined && keys.includes(name) ? group.fields[name] : undefined
    if (found !== undefined) return found
    if (name === undefined)
      complain(node, `what is meant in \`${whole}\` is not written`, `use one of ${keys.join(', ')}`)
    else complain(node, `\`${whole}\` has no \`${name}\``, suggest(name, keys))
    return undefined
  }

  /** A comparison with a value that an attribute never has is a slip, too. */
  function compare([left, right]: readonly [ASTNode, ASTNode]): void {
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const values = named.get(one)?.values
      for (const text of other.op === 'list' ? other.args : [other]) {
        const value = textOf(text)
        if (values !== undefined && value !== undefined && !values.includes(value))
          complain(text, `\`${sourceOf(one)}\` is never ${JSON.stringify(value)}`, suggest(value, values))
      }
    }
  }

  visit(root, new Set())
  return complaints
}

function groupOf(name: string): Group | undefined {
  return Object.hasOwn(GROUPS, name) ? GROUPS[name] : undefined
}

function sourceOf({ input, start, end }: ASTNode): string {
  return input.slice(start, end)
}
