import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import canonicalize from 'canonicalize'
import { findJsonProblems } from './json-problems.ts'
import type { ToolDefinition } from './tool-definition.ts'

/** Thrown for values that have no canonical form. Read a definition first: its findings say the same. */
export class NotCanonicalError extends Error {
  readonly code = 'not-canonical'
}

/**
 * JSON in the one form of RFC 8785, so that equal values have equal bytes.
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
    throw new NotCanonicalError(`no canonical JSON for ${problem?.problem ?? 'undefined'}${where}`)
  }
  return text
}

/**
 * A definition's identity: SHA-256, in hexadecimal, of its canonical JSON. All of the definition counts, also
 * fields that we do not know, because an agent may be shown all of it.
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
