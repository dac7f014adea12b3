import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  type Scalar,
  visit,
  type YAMLError,
  YAMLParseError,
} from 'yaml'
import type { PolicyProblem } from '../../base/errors/policy-problem.ts'

/** The limit that a document exceeds, and the offset at which it does. */
interface Excess {
  readonly kind: 'too deep' | 'too much'
  readonly at: number
}

/**
 * Maximum depth of nesting. The YAML library is recursive, and deep nesting can end the process with a stack overflow
 * that cannot always be caught. Hand-written files stay far below this limit.
 */
const MAX_DEPTH = 200

/**
 * Does the same as the library's `parseDocument`, but stops before composing a document that is too deep or has too
 * many tokens, each of which costs the parser microseconds. It also finds duplicate keys in linear time.
 */
function composeYaml(text: string, lines: LineCounter, maxPieces: number): Document | Excess {
  const tokens = readTokens(text, lines, maxPieces)
  if ('kind' in tokens) return tokens
  const { stackTraceLimit } = Error
  // Each problem is an Error object. Without this line, recording stack traces, which are not used, would take most of
  // the time.
  Error.stackTraceLimit = 0
  try {
    const document = compose(tokens, text.length)
    findDuplicateKeys(document)
    return document
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

function readTokens(text: string, lines: LineCounter, maxPieces: number): CST.Token[] | Excess {
  const parser = new Parser(lines.addNewLine)
  const tokens: CST.Token[] = []
  let pieces = 0
  lines.addNewLine(0)
  for (const piece of new Lexer().lex(text)) {
    tokens.push(...parser.next(piece))
    pieces += 1
    if (parser.stack.length > MAX_DEPTH) return { kind: 'too deep', at: parser.offset }
    if (pieces > maxPieces) return { kind: 'too much', at: parser.offset }
  }
  tokens.push(...parser.end())
  return tokens
}

function compose(tokens: readonly CST.Token[], length: number): Document {
  // The composer's own search for duplicate keys is switched off, because it takes quadratic time.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false })
  const [first, second] = composer.compose(tokens, true, length)
  // There is always a document, because `true` makes the composer yield at least one.
  const document = first as Document
  if (second !== undefined)
    document.errors.push(
      new YAMLParseError(
        [second.range[0], second.range[1]],
        'MULTIPLE_DOCS',
        'There is more than one document',
      ),
    )
  return document
}

function findDuplicateKeys(document: Document): void {
  visit(document.contents, (_key, node) => {
    if (!isMap(node)) return
    const seen = new Set<unknown>()
    for (const { key } of node.items) {
      if (!isScalar(key)) continue
      const at = key.range?.[0] ?? 0
      if (seen.has(key.value))
        document.errors.push(new YAMLParseError([at, at + 1], 'DUPLICATE_KEY', 'Map keys must be unique'))
      seen.add(key.value)
    }
  })
}

export interface PolicyFile {
  /** The path in the form that is shown to people. */
  readonly path: string
  readonly text: string
  /** The limits for texts from a request. Undefined for files in the config, to which the limits for files apply. */
  readonly limits?: TextLimits
}

interface TextLimits {
  readonly characters: number
  readonly pieces: number
}

/**
 * Limits for all texts in one request together. Reading this much (about 500 rules) blocks the event loop for a tenth
 * of a second.
 */
const DRAFTS: TextLimits = { characters: 100_000, pieces: 20_000 }

/** Marks texts that come from a request. They are only checked, never put in force. */
export function asDrafts(files: readonly PolicyFile[]): readonly PolicyFile[] {
  const limits = {
    characters: Math.floor(DRAFTS.characters / files.length),
    pieces: Math.floor(DRAFTS.pieces / files.length),
  }
  return files.map(file => ({ ...file, limits }))
}

/**
 * Maximum length of a policy file in characters. A longer file would not be hand-written, and every reload would check
 * all of its rules.
 */
export const MAX_FILE = 1_000_000

const QUOTE_IT = 'put the value in quotes, or write it on the next line after | (as in `when: |`)'

/** Fixes for common syntax errors, many of which are caused by special characters in conditions and globs. */
const SYNTAX_FIX: Readonly<Record<string, string>> = {
  ALIAS_PROPS: QUOTE_IT,
  BAD_ALIAS: QUOTE_IT,
  BAD_INDENT: 'indent with spaces, like the lines around it',
  BLOCK_AS_IMPLICIT_KEY: QUOTE_IT,
  DUPLICATE_KEY: 'keep one of the two',
  MISSING_CHAR: 'close the quote or bracket',
  MULTIPLE_DOCS: 'remove the ---; a policy file is one document',
  TAB_AS_INDENT: 'indent with spaces',
  TAG_RESOLVE_FAILED: QUOTE_IT,
  UNEXPECTED_TOKEN: QUOTE_IT,
}

/** A parsed YAML file with its problems and their locations. */
export class YamlFile {
  readonly path: string
  readonly text: string
  readonly root: Node | undefined
  readonly problems: PolicyProblem[] = []
  readonly #lines = new LineCounter()
  #document: Document | undefined

  constructor({ path, text, limits }: PolicyFile) {
    this.path = path
    this.text = text
    this.root = this.#parse(limits)
  }

  complain(at: Node | number, message: string, fix: string): undefined {
    const { line, col: column } = this.#lines.linePos(typeof at === 'number' ? at : startOf(at))
    this.problems.push({
      file: this.path,
      line: Math.max(1, line),
      column: Math.max(1, column),
      message,
      fix,
    })
    return undefined
  }

  dataOf(node: Node): unknown {
    return this.#document === undefined ? undefined : node.toJS(this.#document)
  }

  lineOf(node: Node): number {
    return this.#lines.linePos(startOf(node)).line
  }

  #parse(limits: TextLimits | undefined): Node | undefined {
    if (this.text.length > MAX_FILE)
      return this.complain(0, 'the file is too long', `keep it under ${MAX_FILE} characters, or split it`)
    if (this.text.length > (limits?.characters ?? MAX_FILE)) return this.#complainOfDraft(0)
    const document = composeYaml(this.text, this.#lines, limits?.pieces ?? MAX_FILE)
    if ('kind' in document)
      return document.kind === 'too deep'
        ? this.complain(document.at, 'the file is nested too deeply', 'reduce the nesting')
        : this.#complainOfDraft(document.at)
    this.#document = document
    for (const error of firstOfEach([...document.errors, ...document.warnings])) this.#complainOfSyntax(error)
    if (this.problems.length === 0) this.#refuseReferences(document.contents)
    return this.problems.length === 0 ? (document.contents ?? undefined) : undefined
  }

  #complainOfDraft(at: number): undefined {
    return this.complain(
      at,
      'the text is too long to check here',
      'split it, or check the file with `hintgate policy check`',
    )
  }

  #complainOfSyntax({ code, message, pos }: YAMLError): void {
    const [first = ''] = message.split('\n')
    const fix = SYNTAX_FIX[code] ?? 'check indentation, quotes and colons'
    this.complain(pos[0], `invalid YAML: ${first}`, fix)
  }

  /**
   * Refuses anchors and aliases. A few lines of nested aliases can expand to gigabytes. Besides, a rule should be
   * readable where it is written.
   */
  #refuseReferences(contents: Node | null): void {
    visit(contents, (_key, node) => {
      if (isAlias(node))
        this.complain(node, `the alias *${node.source} is not allowed`, `write the value out; ${QUOTE_IT}`)
    })
  }
}

/** Returns the first error at each offset, because only that one is helpful. */
function firstOfEach(errors: readonly YAMLError[]): Iterable<YAMLError> {
  const byOffset = new Map<number, YAMLError>()
  for (const error of errors) if (!byOffset.has(error.pos[0])) byOffset.set(error.pos[0], error)
  return byOffset.values()
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0
}

/**
 * Returns the offset in the file of one character of a scalar, as exactly as the scalar's style (quoted, folded)
 * allows.
 */
export function offsetInFile(file: YamlFile, scalar: Scalar, index: number): number {
  const value = String(scalar.value)
  const { text } = file
  const isBlock = scalar.type === 'BLOCK_LITERAL' || scalar.type === 'BLOCK_FOLDED'
  let at = isBlock ? text.indexOf('\n', startOf(scalar)) + 1 : startOf(scalar)
  if (text[at] === '"' || text[at] === "'") at += 1
  for (let i = 0; i < Math.min(index, value.length); i++) {
    at = skipTo(text, at, value[i] ?? '')
    at += 1
  }
  return skipTo(text, at, value[index] ?? '')
}

/**
 * Finds the next occurrence of a character in the file. This is enough for folding and indentation, which drop only
 * white space; quoted scalars also have escapes.
 */
function skipTo(text: string, from: number, character: string): number {
  let at = from
  const isSpace = /\s/.test(character)
  while (at < text.length && text[at] !== character && /[\s\\]/.test(text[at] ?? '')) {
    if (isSpace && text[at] === '\n') return at
    at += 1
  }
  return at
}
