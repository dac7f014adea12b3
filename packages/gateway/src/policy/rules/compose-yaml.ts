import {
  Composer,
  type CST,
  type Document,
  isMap,
  isScalar,
  Lexer,
  type LineCounter,
  Parser,
  visit,
  YAMLParseError,
} from 'yaml'

/** There is too much of it, from a place on. */
export interface Excess {
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
export function composeYaml(text: string, lines: LineCounter, maxPieces: number): Document | Excess {
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
