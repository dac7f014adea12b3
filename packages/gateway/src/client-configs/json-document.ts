import { getNodeValue, type Node } from 'jsonc-parser'
import { addMember, layoutOf, removeMember } from '../config/edit/json-members.ts'
import { partsOf, positionAt, readDocument } from '../config/read-document.ts'
import { isJsonObject } from '../protocol/messages.ts'
import { type Block, type DocumentFormat, DocumentProblem } from './document-format.ts'

/** JSON, with comments and trailing commas where a client allows them. An empty file is an empty object. */
export const JSON_DOCUMENT: DocumentFormat = {
  read(text) {
    const value: unknown = getNodeValue(rootOf(text))
    if (!isJsonObject(value)) throw new DocumentProblem('it is not an object', 1)
    return value
  },

  add(text, block, { name, entry }) {
    const whole = text.trim() === '' ? `{}${text === '' ? '\n' : text}` : text
    const { node, missing } = walk(whole, block.path)
    const layout = layoutOf(whole)
    if (missing.length === 0 && block.shape === 'array')
      return addMember(whole, node, { value: { name, ...entry } }, layout)
    if (missing.length === 0) return addMember(whole, node, { key: name, value: entry }, layout)
    const innermost = block.shape === 'array' ? [{ name, ...entry }] : { [name]: entry }
    const [key = '', ...deeper] = missing
    const value = deeper.toReversed().reduce<unknown>((held, step) => ({ [step]: held }), innermost)
    return addMember(whole, node, { key, value }, layout)
  },

  remove(text, block, name) {
    const { node, missing } = walk(text, block.path)
    if (missing.length > 0) return text
    const index = (node.children ?? []).findIndex(child => nameOf(child, block) === name)
    return index === -1 ? text : removeMember(text, node, index)
  },
}

function nameOf(child: Node, { shape }: Block): unknown {
  if (shape === 'object') return partsOf(child)?.name
  const item: unknown = getNodeValue(child)
  return isJsonObject(item) ? item.name : undefined
}

interface Reached {
  readonly node: Node
  /** Keys of the path that are not there yet. */
  readonly missing: readonly string[]
}

function walk(text: string, path: readonly string[]): Reached {
  let node = rootOf(text)
  for (const [index, step] of path.entries()) {
    const found = (node.children ?? []).flatMap(child => {
      const parts = node.type === 'object' ? partsOf(child) : undefined
      return parts?.name === step ? [parts.value] : []
    })
    // Parsers disagree about which of two counts, and the client's may not be ours.
    if (found.length > 1) throw problemAt(text, found[1], `"${step}" is there twice`)
    const [next] = found
    if (next === undefined) return { node, missing: path.slice(index) }
    if (next.type !== 'object' && next.type !== 'array')
      throw problemAt(text, next, `"${step}" holds no servers`)
    node = next
  }
  return { node, missing: [] }
}

function rootOf(text: string): Node {
  const { root, complaints } = readDocument(text.trim() === '' ? '{}' : text)
  const [complaint] = complaints
  if (complaint !== undefined)
    throw new DocumentProblem(
      `${complaint.message}; ${complaint.fix}`,
      positionAt(text, complaint.offset ?? 0).line,
    )
  if (root?.type !== 'object') throw new DocumentProblem('it is not an object', 1)
  return root
}

function problemAt(text: string, node: Node | undefined, message: string): DocumentProblem {
  return new DocumentProblem(message, positionAt(text, node?.offset ?? 0).line)
}
