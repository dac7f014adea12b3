import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  COLON,
  endOfString,
  isBeforeColon,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from './json-text.ts'

// These limits are checked on the JSON text itself, before any recursion and before memory is allocated for its values.

/** A cheap first check: whether a text has more brackets than the limit, including brackets in strings. */
function hasMoreThan(text: string, count: number): boolean {
  let found = 0
  for (const bracket of ['{', '[']) {
    for (let at = text.indexOf(bracket); at >= 0; at = text.indexOf(bracket, at + 1))
      if (++found > count) return true
  }
  return false
}

export function exceedsDepth(text: string, maxDepth: number): boolean {
  if (!hasMoreThan(text, maxDepth)) return false
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1
      if (depth > maxDepth) return true
    }
  }
  return false
}

/**
 * Minimum length of a list item: `[],`. A text that is too short for that many items cannot exceed the limit and is not
 * scanned.
 */
const SHORTEST_MEMBER = 3

export function findTooMany(text: string, maxMembers: number, maxItems: number): string | undefined {
  if (text.length < SHORTEST_MEMBER * maxMembers) return undefined
  let members = 0
  let containers = 0
  let commas = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) members += 1
    else if (code === OPEN_LIST || code === OPEN_OBJECT) containers += 1
    else if (code === COMMA) commas += 1
    if (members > maxMembers || containers > maxMembers)
      return `more than ${maxMembers} members, lists and objects`
    if (commas > maxItems) return `more than ${maxItems} items in lists`
  }
  return undefined
}

const COMMA = 44

/**
 * Minimum length of a member: `"a":1,`. A text that is too short for that many members cannot exceed the limit and is
 * not scanned.
 */
const SHORTEST_IN_OBJECT = 4
/** Number of members of an object that are compared. V8 stores larger objects as dictionaries, which have no shape. */
const MOST_MEMBERS = 128

/**
 * Whether the objects in a JSON text have more different shapes than the limit. A shape is the ordered list of an
 * object's first member names. V8 creates a hidden class for each shape. Parsing rows of the same shape takes
 * microseconds, but parsing as many rows of different shapes takes seconds. Names are compared in full, because hash
 * collisions could be crafted.
 */
export function hasTooManyShapes(text: string, most: number): boolean {
  if (text.length < SHORTEST_IN_OBJECT * most) return false
  const empty = new Shape(0)
  // The shapes of the lists and objects that enclose the current position.
  const around: Shape[] = []
  let shape = empty
  let count = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === OPEN_OBJECT || code === OPEN_LIST) {
      around.push(shape)
      shape = empty
    } else if (code === CLOSE_OBJECT || code === CLOSE_LIST) shape = around.pop() ?? empty
    else if (code === QUOTE) {
      const isUsual = text.startsWith(shape.usual, at)
      const end = isUsual ? at + shape.usual.length - 1 : endOfString(text, at)
      if (shape.size < MOST_MEMBERS && isBeforeColon(text, end + 1)) {
        const next = isUsual ? shape.next : shape.with(text.slice(at, end + 1))
        if (next.isNew && ++count > most) return true
        next.isNew = false
        shape = next
      }
      at = end
    }
  }
  return false
}

class Shape {
  readonly size: number
  isNew = true
  /**
   * The name that was last added to this shape, as written. If all rows have the same shape, it is the same every time.
   */
  usual = NOTHING
  /** The shape that results from adding `usual`. */
  next: Shape = this
  readonly #others = new Map<string, Shape>()

  constructor(size: number) {
    this.size = size
  }

  with(name: string): Shape {
    const known = this.#others.get(name)
    const next = known ?? new Shape(this.size + 1)
    if (known === undefined) this.#others.set(name, next)
    this.usual = name
    this.next = next
    return next
  }
}

/** Differs from every name, because names start with a quote. */
const NOTHING = ' '
