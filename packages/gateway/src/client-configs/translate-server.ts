import { splitSecrets, type ValueLocation } from '../detect/secrets/split-secrets.ts'
import type { Json } from '../protocol/messages.ts'
import type { Piece, ReadServer } from './read-server.ts'

/** A secret that does not belong into our config: where it is kept instead. */
export interface Secret {
  readonly file: string
  readonly reference: string
  readonly value: string
}

interface Translated {
  readonly server: Json
  readonly secrets: readonly Secret[]
  readonly variables: readonly string[]
  /** What it needs and we cannot find out; with any, it cannot be taken over. */
  readonly missing: readonly string[]
}

export interface TranslateContext {
  readonly name: string
  readonly env: NodeJS.ProcessEnv
  /** The reference to a new file for a secret, for the config; the name is made of letters, digits, dots and dashes. */
  readonly secretFile: (name: string) => { readonly file: string; readonly reference: string }
}

/** A client's server in the words of our config, without a single secret in it. */
export function translateServer(read: ReadServer, context: TranslateContext): Translated {
  const notes = new Notes(context)
  const { command, args = [], cwd, env = {}, url, headers = {} } = read
  const server: Json = {
    ...(command && { command: notes.write(command, { in: 'other' }, 'command') }),
    ...(args.length > 0 && {
      args: args.map((arg, index) =>
        notes.write(arg, { in: 'args', before: plainText(args[index - 1]) }, `arg${index + 1}`),
      ),
    }),
    ...(cwd && { cwd: notes.write(cwd, { in: 'other' }, 'cwd') }),
    ...(url && { ...(read.isSse && { type: 'sse' }), url: notes.write(url, { in: 'url' }, 'url') }),
    ...notes.writeAll('env', env),
    ...notes.writeAll('headers', headers),
    ...(read.isDisabled && { disabled: true }),
    trust: 'reviewed',
  }
  return { server, secrets: notes.secrets, variables: [...notes.variables], missing: [...notes.missing] }
}

/** What is left of a value once its variables are looked up: the client's characters, and references of ours. */
type Settled = Extract<Piece, { readonly kind: 'text' | 'ours' }>

class Notes {
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
    return joinTexts(pieces.flatMap(piece => this.#settle(piece) ?? []))
      .map(({ kind, text }) => (kind === 'ours' ? text : this.#writeText(text, standing, label)))
      .join('')
  }

  #settle(piece: Piece): Settled | undefined {
    if (piece.kind === 'text' || piece.kind === 'ours') return piece
    if (piece.kind === 'foreign') {
      this.missing.add(`${piece.text}, which only the client knows`)
      return undefined
    }
    if (Object.hasOwn(this.#context.env, piece.name)) {
      this.variables.add(piece.name)
      return { kind: 'ours', text: `\${env:${piece.name}}` }
    }
    if (piece.fallback !== undefined) return { kind: 'text', text: piece.fallback }
    this.missing.add(`the environment variable ${piece.name}, which is not set here: set it and import again`)
    return undefined
  }

  #writeText(text: string, standing: ValueLocation, label: string): string {
    return splitSecrets(text, standing)
      .map(stretch => (stretch.isSecret ? this.#keep(stretch.text, label) : stretch.text))
      .join('')
  }

  #keep(value: string, label: string): string {
    const name = `${this.#context.name}.${label.replaceAll(/[^\w-]+/g, '-').slice(0, LONGEST_LABEL)}`
    const { file, reference } = this.#context.secretFile(name)
    this.secrets.push({ file, reference, value })
    return reference
  }
}

/** A file's name has 255 characters at most, and a number may come behind. */
const LONGEST_LABEL = 64

/** Texts side by side are one text: what is no reference of ours in either may be one in both. */
function joinTexts(pieces: readonly Settled[]): readonly Settled[] {
  const joined: Settled[] = []
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
