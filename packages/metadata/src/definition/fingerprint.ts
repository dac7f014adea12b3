import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import canonicalize from 'canonicalize'
import { findJsonProblems } from './json-problems.ts'
import type { ToolDefinition } from './tool-definition.ts'

/** Thrown for a value that has no canonical form. `readDefinition` reports such values as findings instead. */
export class NotCanonicalError extends Error {
  readonly code = 'not-canonical'
}

/**
 * Writes JSON in the canonical form of RFC 8785, in which equal values have equal bytes.
 *
 * @example
 * import { canonicalJson } from '@hintgate/metadata'
 * canonicalJson({ b: 1, a: [true] }) // => '{"a":[true],"b":1}'
 */
export function canonicalJson(value: unknown): string {
  const [problem] = findJsonProblems(value)
  const text = problem === undefined ? canonicalize(value) : undefined
  if (text === undefined) {
    const where = problem === undefined || problem.path === '' ? '' : ` at ${problem.path.slice(0, 200)}`
    throw new NotCanonicalError(
      `The value has no canonical JSON: it contains ${problem?.problem ?? 'undefined'}${where}.`,
    )
  }
  return text
}

/**
 * The identity of a definition: the SHA-256 of its canonical JSON, in hexadecimal. The hash covers unknown fields too,
 * because agents can be shown the whole definition.
 *
 * @example
 * import { fingerprint } from '@hintgate/metadata'
 * const tool = { name: 'ping', annotations: { readOnlyHint: true } }
 * fingerprint(tool) === fingerprint({ annotations: { readOnlyHint: true }, name: 'ping' }) // => true
 * fingerprint(tool) === fingerprint({ ...tool, annotations: {} }) // => false
 */
export function fingerprint(definition: ToolDefinition): string {
  return bytesToHex(sha256(utf8ToBytes(canonicalJson(definition))))
}
