import { nearest } from '@hintgate/metadata'
import { splitId } from '../../protocol/split-id.ts'
import type { DefinitionKind, DefinitionVersion, StoredDefinition } from '../../store/store.ts'
import { idOf } from './review-item.ts'

/** The reason why a review command cannot be executed as typed. */
export interface Objection {
  /** True if the command is wrong, false if the definition's state does not allow it. */
  readonly isUsage: boolean
  readonly message: string
  readonly fix: string
}

export function isObjection(value: unknown): value is Objection {
  return typeof value === 'object' && value !== null && 'isUsage' in value && 'fix' in value
}

export function objection(message: string, fix: string): Objection {
  return { isUsage: false, message, fix }
}

export function misuse(message: string, fix: string): Objection {
  return { isUsage: true, message, fix }
}

/** Finds the definition that a reviewer means. It can be of any kind, unless a kind is given. */
export function findDefinition(
  known: readonly StoredDefinition[],
  { server, name, fingerprint }: Target,
  kind?: DefinitionKind,
): StoredDefinition | Objection {
  const ofServer = known.filter(stored => stored.server === server)
  if (ofServer.length === 0) return unknownServer(known, server)
  const named = ofServer.filter(stored => stored.name === name && (kind ?? stored.kind) === stored.kind)
  const seen = named.filter(({ current }) => fingerprint !== undefined && current?.startsWith(fingerprint))
  const [found, other] = seen.length === 1 ? seen : named
  if (found === undefined) return unknownName(ofServer, { server, name }, kind)
  return other === undefined ? found : severalKinds(named)
}

/** Explains that a server is unknown. A configured server is unknown until it has been asked for its definitions. */
export function unknownServer(known: readonly StoredDefinition[], server: string): Objection {
  const like = nearest(
    server,
    known.map(stored => stored.server),
  )
  return objection(
    `the server ${JSON.stringify(server)} is not known`,
    like === undefined
      ? 'a server becomes known when it is asked for its tools: run hintgate serve or hintgate tools list'
      : `did you mean ${like}?`,
  )
}

function unknownName(
  ofServer: readonly StoredDefinition[],
  wanted: { readonly server: string; readonly name: string },
  kind: DefinitionKind = 'tool',
): Objection {
  const like = nearest(
    wanted.name,
    ofServer.filter(stored => stored.kind === kind).map(({ name }) => name),
  )
  return objection(
    `there is no ${kind} ${JSON.stringify(idOf(wanted))}`,
    like === undefined
      ? 'run hintgate tools review to see what is waiting'
      : `did you mean ${JSON.stringify(idOf({ server: wanted.server, name: like }))}?`,
  )
}

function severalKinds(named: readonly StoredDefinition[]): Objection {
  const [first] = named
  const kinds = named.map(({ kind }) => kind)
  return misuse(
    `the name ${JSON.stringify(first === undefined ? '' : idOf(first))} belongs to a ${kinds.join(' and to a ')}`,
    `choose one with --kind ${kinds.join(' or --kind ')}`,
  )
}

/**
 * The target of a review: one definition, optionally with the version that the reviewer saw, or, as `*`, all of a
 * server's definitions.
 */
export interface Target {
  readonly typed: string
  readonly server: string
  readonly name: string
  /** The first digits of a fingerprint. */
  readonly fingerprint?: string
}

export const EVERYTHING = '*'

/**
 * Minimum number of digits. With fewer, a server could compute a second version with the same first digits within
 * minutes.
 */
const MIN_DIGITS = 8
const FINGERPRINT = /^(.*)@([0-9a-f]{1,64})$/is

/**
 * Reads `server:name`, `server:name@fingerprint` and `server:*`. Text that looks like a fingerprint always counts as
 * one, so `read@1a2b3c4d` never means a tool that a server gave this name.
 */
export function parseTarget(typed: string): Target | Objection {
  const { server, tool } = splitId(typed)
  const [, beforeDigits, digits] = FINGERPRINT.exec(tool) ?? []
  const name = beforeDigits ?? tool
  if (server === '' || name === '') return object(typed, 'does not have the form SERVER:NAME')
  if (digits === undefined) return { typed, server, name }
  if (name === EVERYTHING) return object(typed, 'names a fingerprint together with *')
  return digits.length < MIN_DIGITS
    ? object(typed, `has a fingerprint of fewer than ${MIN_DIGITS} digits`)
    : { typed, server, name, fingerprint: digits.toLowerCase() }
}

function object(typed: string, why: string): Objection {
  return misuse(
    `${JSON.stringify(typed)} ${why}`,
    'write notes:read, notes:read@1a2b3c4d5e6f (the version that you saw) or notes:*',
  )
}

const DIGITS = /^[0-9a-f]{8,64}$/i

/**
 * Finds a version by the first digits of its fingerprint. Without digits, finds the current version or, if the server
 * no longer has the definition, the last one.
 */
export function findVersion(stored: StoredDefinition, digits?: string): DefinitionVersion | Objection {
  const { versions, current } = stored
  if (digits === undefined) {
    const last = versions.toSorted((a, b) => b.lastSeenAt - a.lastSeenAt)[0]
    return versions.find(({ fingerprint }) => fingerprint === current) ?? last ?? noVersion(stored, 'any')
  }
  if (!DIGITS.test(digits))
    return misuse(
      `${JSON.stringify(digits)} does not look like the beginning of a fingerprint`,
      'enter 8 to 64 hexadecimal digits, as shown by hintgate tools history',
    )
  const found = versions.find(({ fingerprint }) => fingerprint.startsWith(digits.toLowerCase()))
  return found ?? noVersion(stored, digits)
}

function noVersion(stored: StoredDefinition, digits: string): Objection {
  const id = JSON.stringify(idOf(stored))
  return objection(`${id} has no version ${digits}`, `run hintgate tools history ${id} to see all versions`)
}
