/** Names and descriptions of a tool's parameters, as far as a search should read. */
export interface ParameterText {
  readonly names: string
  readonly descriptions: string
}

/** A schema may be as large as a message may be, and refer to itself: the walk ends by budget, not by its end. */
const MAX_NODES = 300
const MAX_DEPTH = 6
const MAX_CHOICES = 40
const MAX_NAME_CHARACTERS = 2_000
const MAX_DESCRIPTION_CHARACTERS = 4_000

type Schema = Readonly<Record<string, unknown>>

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Breadth first, so that the outermost parameters are read when the budget ends early. */
export function readParameters(inputSchema: unknown): ParameterText {
  const names = new CappedText(MAX_NAME_CHARACTERS)
  const descriptions = new CappedText(MAX_DESCRIPTION_CHARACTERS)
  const queue: { readonly node: unknown; readonly depth: number }[] = [{ node: inputSchema, depth: 0 }]
  for (let at = 0; at < queue.length && at < MAX_NODES; at += 1) {
    const { node, depth } = queue[at] ?? { node: undefined, depth: 0 }
    if (!isSchema(node)) continue
    if (depth > 0) describeNode(node, descriptions)
    if (depth < MAX_DEPTH && queue.length < MAX_NODES) {
      for (const child of listChildren(node, names)) queue.push({ node: child, depth: depth + 1 })
    }
  }
  return { names: names.text, descriptions: descriptions.text }
}

function describeNode(node: Schema, descriptions: CappedText): void {
  if (typeof node.title === 'string') descriptions.add(node.title)
  if (typeof node.description === 'string') descriptions.add(node.description)
  if (!Array.isArray(node.enum)) return
  for (const choice of node.enum.slice(0, MAX_CHOICES))
    if (typeof choice === 'string') descriptions.add(choice)
}

function listChildren(node: Schema, names: CappedText): unknown[] {
  const children: unknown[] = []
  if (isSchema(node.properties)) {
    for (const name of Object.keys(node.properties).slice(0, MAX_NODES)) {
      names.add(name)
      children.push(node.properties[name])
    }
  }
  children.push(node.items)
  for (const list of [node.anyOf, node.oneOf, node.allOf]) {
    if (Array.isArray(list)) children.push(...list.slice(0, MAX_NODES))
  }
  // Parameters behind a $ref: their words belong to the tool wherever the reference stands.
  for (const definitions of [node.$defs, node.definitions]) {
    if (isSchema(definitions)) children.push(...Object.values(definitions).slice(0, MAX_NODES))
  }
  return children
}

class CappedText {
  text = ''
  readonly #limit: number

  constructor(limit: number) {
    this.#limit = limit
  }

  add(part: string): void {
    const room = this.#limit - this.text.length
    if (room > 0) this.text += `${part.slice(0, room)} `
  }
}
