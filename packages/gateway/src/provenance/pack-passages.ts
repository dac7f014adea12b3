import type { Passage, PassageSource } from './passage.ts'

type PackedKind = 'passages' | 'task'

interface Packed {
  /** The kind of content; `passages` if absent. */
  readonly kind?: PackedKind
  readonly source: PassageSource
  /** A digest of the texts that contained the passages. */
  readonly digest?: string
  readonly passages: readonly {
    readonly asks: number
    readonly near: number
    readonly excerpt: string
    /** The encoded tokens: first the hashes, then the lengths, then the flags. */
    readonly tokens: string
  }[]
}

/** Writes the passages of one result (or the sentences of a task) as a text that can be sealed. */
export function packPassages(
  passages: readonly Passage[],
  source: PassageSource,
  { kind = 'passages', digest }: { readonly kind?: PackedKind; readonly digest?: string } = {},
): string {
  const packed: Packed = {
    kind,
    source,
    ...(digest === undefined ? {} : { digest }),
    passages: passages.map(({ asks, near, excerpt, tokens }) => {
      const { first, second, length, flags } = tokens
      const bytes = Buffer.concat([first, second, length, flags].map(part => toBytes(part)))
      return { asks, near, excerpt, tokens: bytes.toString('base64') }
    }),
  }
  return JSON.stringify(packed)
}

/**
 * Reads a text that `packPassages` wrote. Nothing is checked, because the seal guarantees where the text comes from.
 */
export function unpackPassages(text: string): Unpacked {
  const { kind = 'passages', source, digest = '', passages } = JSON.parse(text) as Packed
  return { kind, at: source.at, digest, passages: passages.map(passage => unpack(passage, source)) }
}

interface Unpacked {
  readonly kind: PackedKind
  readonly at: number
  readonly digest: string
  readonly passages: Passage[]
}

function unpack({ asks, near, excerpt, tokens }: Packed['passages'][number], source: PassageSource): Passage {
  const bytes = Uint8Array.from(Buffer.from(tokens, 'base64'))
  const count = bytes.length / BYTES_OF_TOKEN
  return {
    asks,
    near,
    excerpt,
    source,
    tokens: {
      count,
      first: new Uint32Array(bytes.buffer, 0, count),
      second: new Uint32Array(bytes.buffer, 4 * count, count),
      length: new Uint8Array(bytes.buffer, 8 * count, count),
      flags: new Uint8Array(bytes.buffer, 9 * count, count),
    },
  }
}

const BYTES_OF_TOKEN = 10

function toBytes({ buffer, byteOffset, byteLength }: Uint32Array | Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
