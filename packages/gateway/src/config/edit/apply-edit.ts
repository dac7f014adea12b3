import { applyEdits, modify, type Node } from 'jsonc-parser'
import { partsOf, readDocument } from '../read-document.ts'
import { layoutOf } from './json-layout.ts'
import { addMember, removeMember } from './json-members.ts'

/** A place in a document and what is to stand there; undefined takes it out. */
export interface ConfigEdit {
  readonly path: (string | number)[]
  readonly value: unknown
}

/** The text with one edit in it. What is added or removed leaves the comments and the layout of its neighbours alone. */
export function applyEdit(text: string, { path, value }: ConfigEdit): string {
  const { root } = readDocument(text)
  const reached = root?.type === 'object' ? walk(root, path) : undefined
  if (reached === undefined) return replace(text, { path, value })
  const { holder, rest, index } = reached
  const [key = '', ...deeper] = rest
  if (value === undefined) return index === -1 ? text : removeMember(text, holder, index)
  if (index !== -1) return replace(text, { path, value })
  const nested = deeper.toReversed().reduce<unknown>((held, step) => ({ [step]: held }), value)
  return addMember(text, holder, { key, value: nested }, layoutOf(text))
}

interface Reached {
  /** The innermost object on the way that is there. */
  readonly holder: Node
  /** The steps from there. */
  readonly rest: readonly string[]
  /** Which member of it the only step left names; -1 where it is not there. */
  readonly index: number
}

/** Undefined where the way leads through something else than objects. */
function walk(root: Node, path: ConfigEdit['path']): Reached | undefined {
  const steps = path.filter(step => typeof step === 'string')
  if (steps.length !== path.length || steps.length === 0) return undefined
  let holder = root
  for (const [at, step] of steps.entries()) {
    const members = holder.children ?? []
    const index = members.findIndex(member => partsOf(member)?.name === step)
    const member = members[index]
    const isLast = at === steps.length - 1
    if (member === undefined || isLast) return { holder, rest: steps.slice(at), index: isLast ? index : -1 }
    const next = partsOf(member)?.value
    if (next?.type !== 'object') return undefined
    holder = next
  }
  return undefined
}

function replace(text: string, { path, value }: ConfigEdit): string {
  const { unit, eol } = layoutOf(text)
  const formattingOptions = {
    insertSpaces: !unit.startsWith('\t'),
    tabSize: unit.startsWith('\t') ? 4 : unit.length,
    eol,
  }
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }))
}
