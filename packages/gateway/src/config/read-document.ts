import { type Node, type ParseError, parseTree, printParseErrorCode } from 'jsonc-parser'
import type { Complaint, Path } from '../base/errors/problem.ts'

/** A parsed JSON document (comments and trailing commas allowed) with its syntax problems. */
export interface Document {
  readonly root: Node | undefined
  readonly complaints: readonly Complaint[]
}

const SYNTAX: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  InvalidSymbol: [
    'not a JSON value',
    'put strings in double quotes; otherwise write true, false, null or a number',
  ],
  InvalidNumberFormat: ['not a JSON number', 'write the number with digits only'],
  PropertyNameExpected: ['expected a key', 'put the key in double quotes, or remove the comma before it'],
  ValueExpected: ['expected a value', 'write a value here, or remove the comma before it'],
  ColonExpected: ['expected a colon after the key', 'write "key": value'],
  CommaExpected: ['expected a comma', 'put a comma before this'],
  CloseBraceExpected: ['a } is missing', 'close the object that was opened above'],
  CloseBracketExpected: ['a ] is missing', 'close the list that was opened above'],
  EndOfFileExpected: [
    'unexpected text after the end',
    'remove this text; a config consists of a single object',
  ],
  UnexpectedEndOfComment: ['the comment is not closed', 'close it with */'],
  UnexpectedEndOfString: [
    'the string is not closed',
    'close the string with a double quote on the same line',
  ],
  UnexpectedEndOfNumber: ['the number is incomplete', 'complete the number'],
  InvalidUnicode: ['invalid Unicode escape', 'write \\u and four hexadecimal digits'],
  InvalidEscapeCharacter: ['invalid escape', 'write \\\\ for a backslash'],
  InvalidCharacter: ['control character in a string', 'write \\n or \\t instead'],
}

export function readDocument(text: string): Document {
  const errors: ParseError[] = []
  try {
    const root = parseTree(text, errors, { allowTrailingComma: true })
    return { root, complaints: errors.map(complainOfSyntax) }
  } catch {
    // The recursive parser overflowed the stack, which takes thousands of open brackets.
    return {
      root: undefined,
      complaints: [{ path: [], message: 'the file is nested too deeply', fix: 'reduce the nesting' }],
    }
  }
}

function complainOfSyntax({ error, offset }: ParseError): Complaint {
  const [message, fix] = SYNTAX[printParseErrorCode(error)] ?? [
    'invalid JSON',
    'check that brackets and quotes match',
  ]
  return { path: [], message, fix, offset }
}

/**
 * Returns a property's key and value. Undefined if the value is missing, which is reported elsewhere as a syntax error.
 */
export function partsOf(property: Node): { key: Node; name: string; value: Node } | undefined {
  const [key, value] = property.children ?? []
  return key === undefined || value === undefined ? undefined : { key, name: String(key.value), value }
}

/** Returns the node at a path, or the deepest node on the path that exists. */
export function nearestNode(root: Node, path: Path, aboutKey = false): Node {
  let node = root
  for (const [index, step] of path.entries()) {
    const isLast = index === path.length - 1
    if (typeof step === 'number') {
      const item = node.type === 'array' ? node.children?.[step] : undefined
      if (item === undefined) return node
      node = item
    } else {
      const parts = node.type === 'object' ? findProperty(node, step) : undefined
      if (parts === undefined) return node
      if (isLast && aboutKey) return parts.key
      node = parts.value
    }
  }
  return node
}

function findProperty(object: Node, name: string) {
  return object.children?.map(partsOf).find(parts => parts?.name === name)
}

/** Returns the line and column of an offset, both counted from 1. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split(/\r\n|\n|\r/)
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}
