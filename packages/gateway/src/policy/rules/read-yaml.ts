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

/** There is too much of it, from a place on. */
interface Excess {
  readonly kind: 'too deep' | 'too much'
  readonly at: number
}

/**
 * Documents are put together by functions that call themselves; deep enough, that ends the process, and not always by
 * an error that could be caught. Nobody writes by hand what is nested a tenth as deep.
 */
const MAX_DEPTH = 200

/**
 * As `parseDocument` does it, but what is too deep, or has too many pieces (brackets, texts, line ends: each costs the
 * parser microseconds), is given up before anything is made of it; and keys that stand twice are found in one go.
 */
function composeYaml(text: string, lines: LineCounter, maxPieces: number): Document | Excess {
  const tokens = readTokens(text, lines, maxPieces)
  if ('kind' in tokens) return tokens
  const { stackTraceLimit } = Error
  // Every complaint is an error, and its stack, which nobody looks at, takes longer than all the rest.
  Error.stackTraceLimit = 0
  try {
    const document = compose(tokens, text.length)
    findDoubledKeys(document)
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
  // Its own search for doubled keys compares each with all before it.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false })
  const [first, second] = composer.compose(tokens, true, length)
  // There always is one, if only because the end was asked for.
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

function findDoubledKeys(document: Document): void {
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
  /** As people should see it. */
  readonly path: string
  readonly text: string
  /** Absent: it is a file that somebody put there, and as long as files may be. */
  readonly limits?: TextLimits
}

interface TextLimits {
  readonly characters: number
  readonly pieces: number
}

/**
 * Of texts that come over the network, all together: so much is read in a tenth of a second, in which nobody else gets
 * anything. It is some 500 rules.
 */
const DRAFTS: TextLimits = { characters: 100_000, pieces: 20_000 }

/** Texts that somebody sent and nobody has put in force. */
export function asDrafts(files: readonly PolicyFile[]): readonly PolicyFile[] {
  const limits = {
    characters: Math.floor(DRAFTS.characters / files.length),
    pieces: Math.floor(DRAFTS.pieces / files.length),
  }
  return files.map(file => ({ ...file, limits }))
}

/** Longer files are not written by people, and every rule of them would be looked at on every reload. */
export const MAX_FILE = 1_000_000

const QUOTE_IT = 'put the value in quotes, or write it on the next line after | (as in `when: |`)'

/** Where YAML's own rules surprise people who write conditions and globs. */
const SYNTAX_FIX: Readonly<Record<string, string>> = {
  ALIAS_PROPS: QUOTE_IT,
  BAD_ALIAS: QUOTE_IT,
  BAD_INDENT: 'indent with spaces, by the same amount as the lines beside it',
  BLOCK_AS_IMPLICIT_KEY: QUOTE_IT,
  DUPLICATE_KEY: 'keep one of the two',
  MISSING_CHAR: 'close the quote or bracket',
  MULTIPLE_DOCS: 'remove the ---; a policy file is one document',
  TAB_AS_INDENT: 'indent with spaces',
  TAG_RESOLVE_FAILED: QUOTE_IT,
  UNEXPECTED_TOKEN: QUOTE_IT,
}

/** One YAML file being read: what is in it, and everything that is wrong with it, each with its place. */
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
        ? this.complain(document.at, 'nested too deep', 'nest less')
        : this.#complainOfDraft(document.at)
    this.#document = document
    for (const error of firstOfEach([...document.errors, ...document.warnings])) this.#complainOfSyntax(error)
    if (this.problems.length === 0) this.#refuseReferences(document.contents)
    return this.problems.length === 0 ? (document.contents ?? undefined) : undefined
  }

  #complainOfDraft(at: number): undefined {
    return this.complain(
      at,
      'the text is too long to be looked at here',
      'split it, or look at the file with `hintgate policy check`',
    )
  }

  #complainOfSyntax({ code, message, pos }: YAMLError): void {
    const [first = ''] = message.split('\n')
    const fix = SYNTAX_FIX[code] ?? 'see that indentation, quotes and colons are as YAML wants them'
    this.complain(pos[0], `not YAML: ${first}`, fix)
  }

  /** A few lines of references to references stand for gigabytes, and a rule should be whole where it stands. */
  #refuseReferences(contents: Node | null): void {
    visit(contents, (_key, node) => {
      if (isAlias(node))
        this.complain(node, `*${node.source} refers to another place`, `write it out; ${QUOTE_IT}`)
    })
  }
}

/** The first complaint about a place is the one that helps. */
function firstOfEach(errors: readonly YAMLError[]): Iterable<YAMLError> {
  const byPlace = new Map<number, YAMLError>()
  for (const error of errors) if (!byPlace.has(error.pos[0])) byPlace.set(error.pos[0], error)
  return byPlace.values()
}

function startOf(node: Node): number {
  return node.range?.[0] ?? 0
}

/** Where in the file a character of a text stands, as good as the way it is written allows. */
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

/** Folding and indentation leave out white space and nothing else; in quotes there are escapes, too. */
function skipTo(text: string, from: number, character: string): number {
  let at = from
  const isSpace = /\s/.test(character)
  while (at < text.length && text[at] !== character && /[\s\\]/.test(text[at] ?? '')) {
    if (isSpace && text[at] === '\n') return at
    at += 1
  }
  return at
}
