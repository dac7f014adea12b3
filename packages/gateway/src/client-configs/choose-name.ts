import { NAME_PATTERN } from '../config/schema/schema.ts'
import type { Json } from '../protocol/messages.ts'

const NAME = new RegExp(NAME_PATTERN)
const MAX = 64

/**
 * A name for a server in our config: its own where that is possible and free, else one with the client's name behind it.
 *
 * @example
 * chooseName('my files', 'cursor', { 'my-files': {} }) // => 'my-files-cursor'
 */
export function chooseName(original: string, client: string, taken: Json): string {
  const base = toName(original)
  const isFree = (name: string) =>
    !Object.keys(taken).some(known => known.toLowerCase() === name.toLowerCase())
  if (isFree(base)) return base
  const suffixes = [`-${client}`, ...Array.from({ length: 1000 }, (_, index) => `-${client}-${index + 2}`)]
  const names = suffixes.map(suffix => base.slice(0, MAX - suffix.length) + suffix)
  return names.find(isFree) ?? base
}

/** Two underscores part server and tool, so no server may have them. */
function toName(original: string): string {
  const name = original
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\w.-]+/g, '-')
    .replaceAll(/_{2,}/g, '_')
    .replace(/^[^A-Za-z0-9]+/, '')
    .slice(0, MAX)
  return NAME.test(name) ? name : 'server'
}
