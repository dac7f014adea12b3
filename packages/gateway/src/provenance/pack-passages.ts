import { hashWords, isWhole, type Passage, type PassageSource } from './passage.ts'
import type { TokenHasher, Tokens } from './token-hashes.ts'

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
    /**
     * The encoded tokens: first the hashes, then the lengths, then the flags. Empty if the excerpt has all words, which
     * are then hashed again.
     */
    readonly tokens: string
  }[]
}

/** The passages of one result, or the sentences of a task. */
export interface Content {
  readonly kind?: PackedKind
  readonly passages: readonly Passage[]
  readonly source: PassageSource
  readonly digest?: string
}

/** Writes passages as a text that can be sealed. */
export function packPassages({ kind = 'passages', passages, source, digest }: Content): string {
  const packed: Packed = {
    kind,
    source,
    ...(digest === undefined ? {} : { digest }),
    passages: passages.map(({ asks, near, excerpt, tokens }) => {
      return { asks, near, excerpt, tokens: isWhole(excerpt) ? '' : encode(tokens) }
    }),
  }
  return JSON.stringify(packed)
}

function encode({ first, second, length, flags }: Tokens): string {
  return Buffer.concat([first, second, length, flags].map(part => toBytes(part))).toString('base64')
}

/**
 * Reads a text that `packPassages` wrote. Nothing is checked, because the seal guarantees where the text comes from.
 * `fresh` are the passages that were packed, if they are still at hand, so that no words are hashed twice.
 */
export function unpackPassages(text: string, hasher: TokenHasher, fresh?: readonly Passage[]): Unpacked {
  const { kind = 'passages', source, digest = '', passages } = JSON.parse(text) as Packed
  const unpack = ({ asks, near, excerpt, tokens }: Packed['passages'][number], index: number): Passage => {
    const known = fresh?.[index]?.tokens ?? (tokens === '' ? hashWords(excerpt, hasher) : decode(tokens))
    // The excerpt of a fresh passage is not kept, because it would keep the whole result in memory.
    return { asks, near, excerpt, source, tokens: known }
  }
  return { kind, at: source.at, digest, passages: passages.map(unpack) }
}

interface Unpacked {
  readonly kind: PackedKind
  readonly at: number
  readonly digest: string
  readonly passages: Passage[]
}

function decode(tokens: string): Tokens {
  const bytes = Uint8Array.from(Buffer.from(tokens, 'base64'))
  const count = bytes.length / BYTES_OF_TOKEN
  return {
    count,
    first: new Uint32Array(bytes.buffer, 0, count),
    second: new Uint32Array(bytes.buffer, 4 * count, count),
    length: new Uint8Array(bytes.buffer, 8 * count, count),
    flags: new Uint8Array(bytes.buffer, 9 * count, count),
  }
}

const BYTES_OF_TOKEN = 10

function toBytes({ buffer, byteOffset, byteLength }: Uint32Array | Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}
