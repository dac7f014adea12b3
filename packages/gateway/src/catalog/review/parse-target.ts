import { splitId } from '../../protocol/split-id.ts'
import type { Objection } from './objection.ts'

/** What a reviewer means: one definition, perhaps in the version that they saw, or with `*` all of a server. */
export interface Target {
  readonly typed: string
  readonly server: string
  readonly name: string
  /** The first digits of a fingerprint. */
  readonly fingerprint?: string
}

/** Stands for everything of a server. */
export const EVERYTHING = '*'

/** So many digits that nobody can bring about another version that begins with the same ones by trying for a minute. */
const MIN_DIGITS = 8
const FINGERPRINT = /^(.*)@([0-9a-f]{1,64})$/is

/**
 * Reads `server:name`, `server:name@fingerprint` and `server:*`. What looks like a fingerprint is one: a server that
 * calls a tool `read@1a2b3c4d` must not be approved by somebody who means its tool `read`.
 */
export function parseTarget(typed: string): Target | Objection {
  const { server, tool } = splitId(typed)
  const [, beforeDigits, digits] = FINGERPRINT.exec(tool) ?? []
  const name = beforeDigits ?? tool
  if (server === '' || name === '') return object(typed, 'is not of the form SERVER:NAME')
  if (digits === undefined) return { typed, server, name }
  if (name === EVERYTHING) return object(typed, 'names a fingerprint, but many definitions')
  return digits.length < MIN_DIGITS
    ? object(typed, `has a fingerprint of fewer than ${MIN_DIGITS} digits`)
    : { typed, server, name, fingerprint: digits.toLowerCase() }
}

function object(typed: string, why: string): Objection {
  return {
    isUsage: true,
    message: `${JSON.stringify(typed)} ${why}`,
    fix: 'write notes:read, notes:read@1a2b3c4d5e6f (the version that you saw) or notes:*',
  }
}
