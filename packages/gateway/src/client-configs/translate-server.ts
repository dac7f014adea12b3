import { splitSecrets, type ValueLocation } from '../detect/secrets/split-secrets.ts'
import type { Json } from '../protocol/messages.ts'
import type { Piece, ReadServer } from './read-server.ts'

/** A secret that is stored in a file instead of Hintgate's config. */
export interface Secret {
  readonly file: string
  readonly reference: string
  readonly value: string
}

interface Translated {
  readonly server: Json
  readonly secrets: readonly Secret[]
  readonly variables: readonly string[]
  /** The values that could not be resolved. If there are any, the server is not imported. */
  readonly missing: readonly string[]
}

export interface TranslateContext {
  readonly name: string
  readonly env: NodeJS.ProcessEnv
  /** Chooses a new file for a secret. The name has only letters, digits, dots, dashes and underscores. */
  readonly secretFile: (name: string) => { readonly file: string; readonly reference: string }
}

/** Translates a client's server into an entry of Hintgate's config, without secrets. */
export function translateServer(read: ReadServer, context: TranslateContext): Translated {
  const translation = new ServerTranslation(context)
  const { command, args = [], cwd, env = {}, url, headers = {} } = read
  const server: Json = {
    ...(command && { command: translation.write(command, { in: 'other' }, 'command') }),
    ...(args.length > 0 && {
      args: args.map((arg, index) =>
        translation.write(arg, { in: 'args', before: plainText(args[index - 1]) }, `arg${index + 1}`),
      ),
    }),
    ...(cwd && { cwd: translation.write(cwd, { in: 'other' }, 'cwd') }),
    ...(url && { ...(read.isSse && { type: 'sse' }), url: translation.write(url, { in: 'url' }, 'url') }),
    ...translation.writeAll('env', env),
    ...translation.writeAll('headers', headers),
    ...(read.isDisabled && { disabled: true }),
    trust: 'reviewed',
  }
  return {
    server,
    secrets: translation.secrets,
    variables: [...translation.variables],
    missing: [...translation.missing],
  }
}

/** A part of a value with its variables resolved: text from the client, or a reference in Hintgate's syntax. */
type ResolvedPiece = Extract<Piece, { readonly kind: 'text' | 'ours' }>

class ServerTranslation {
  readonly secrets: Secret[] = []
  readonly variables = new Set<string>()
  readonly missing = new Set<string>()
  readonly #context: TranslateContext

  constructor(context: TranslateContext) {
    this.#context = context
  }

  writeAll(section: 'env' | 'headers', values: Readonly<Record<string, readonly Piece[]>>): Json {
    const written = Object.entries(values).map(([key, pieces]) => [
      key,
      this.write(pieces, { in: section, key }, key),
    ])
    return written.length === 0 ? {} : { [section]: Object.fromEntries(written) }
  }

  write(pieces: readonly Piece[], standing: ValueLocation, label: string): string {
    return joinTexts(pieces.flatMap(piece => this.#resolve(piece) ?? []))
      .map(({ kind, text }) => (kind === 'ours' ? text : this.#writeText(text, standing, label)))
      .join('')
  }

  #resolve(piece: Piece): ResolvedPiece | undefined {
    if (piece.kind === 'text' || piece.kind === 'ours') return piece
    if (piece.kind === 'foreign') {
      this.missing.add(`${piece.text}, which only the client can resolve`)
      return undefined
    }
    if (Object.hasOwn(this.#context.env, piece.name)) {
      this.variables.add(piece.name)
      return { kind: 'ours', text: `\${env:${piece.name}}` }
    }
    if (piece.fallback !== undefined) return { kind: 'text', text: piece.fallback }
    this.missing.add(`the environment variable ${piece.name}, which is not set; set it and import again`)
    return undefined
  }

  #writeText(text: string, standing: ValueLocation, label: string): string {
    return splitSecrets(text, standing)
      .map(span => (span.isSecret ? this.#keep(span.text, label) : span.text))
      .join('')
  }

  #keep(value: string, label: string): string {
    const name = `${this.#context.name}.${label.replaceAll(/[^\w-]+/g, '-').slice(0, LONGEST_LABEL)}`
    const { file, reference } = this.#context.secretFile(name)
    this.secrets.push({ file, reference, value })
    return reference
  }
}

/**
 * Maximum number of characters of a label in a file name. File names have at most 255 characters, and a number can
 * follow.
 */
const LONGEST_LABEL = 64

/** Joins adjacent texts, because two texts that are harmless on their own could form a reference together. */
function joinTexts(pieces: readonly ResolvedPiece[]): readonly ResolvedPiece[] {
  const joined: ResolvedPiece[] = []
  for (const piece of pieces) {
    const last = joined.at(-1)
    if (last?.kind !== 'text' || piece.kind !== 'text') joined.push(piece)
    else joined[joined.length - 1] = { kind: 'text', text: last.text + piece.text }
  }
  return joined
}

function plainText(pieces: readonly Piece[] | undefined): string | undefined {
  return pieces?.map(piece => (piece.kind === 'text' ? piece.text : '')).join('')
}
