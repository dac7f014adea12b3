import type { CallVariant } from '@hintgate/metadata'
import type { Role } from './role.ts'

export type Permission = CallVariant | 'retrieve_tools'

/** What a token may be used for. `read`, `write` and `destructive` are accepted as short names on input. */
export const PERMISSIONS = [
  'retrieve_tools',
  'call_tool_read',
  'call_tool_write',
  'call_tool_destructive',
] as const satisfies readonly Permission[]

/** What a caller may reach. Globs: `*` stands for any run of characters. */
export interface Scope {
  readonly permissions: readonly Permission[]
  /** Names of servers, or globs. */
  readonly servers: readonly string[]
  /** `server:tool` or `tool`, as globs. Absent: every tool of those servers. */
  readonly tools?: readonly string[] | undefined
  /** Which calls ask a person first, where it differs from the config. */
  readonly confirm?:
    | Readonly<Partial<Record<'read' | 'write' | 'destructive', 'never' | 'always'>>>
    | undefined
  readonly rate?: Rate | undefined
  /** People only: what they may do over the admin API. Absent: everything. */
  readonly role?: Role
  /** Made for the console and good for nothing else: a code to sign in with once, or the session that it became. */
  readonly console?: ConsoleUse
}

export interface ConsoleUse {
  readonly kind: 'code' | 'session'
  readonly person: string
  /** Who said so. Absent: whoever may run `hintgate console` here. */
  readonly vouched?: Vouched
}

/** What an issuer said of a person. What that is good for is asked of the config again whenever the session is used. */
export interface Vouched {
  readonly issuer: string
  readonly claims: Readonly<Record<string, unknown>>
}

export interface Rate {
  readonly limit: number
  readonly windowMs: number
}

/** What stands in place of a credential where there is none: whoever starts the process owns all that there is. */
export type LocalDoor = 'stdio' | 'cli'

const LOCAL_DOORS: ReadonlySet<string> = new Set<LocalDoor>(['stdio', 'cli'])

export function isLocal({ credential }: Principal): boolean {
  return LOCAL_DOORS.has(credential)
}

/** Who is calling. Nobody is ever anonymous. */
export interface Principal {
  /** Unique over agents and people: `agent:reporting-bot`. */
  readonly id: string
  readonly name: string
  readonly kind: 'agent' | 'person'
  readonly scope: Scope
  /** Changes whenever the credential behind it is rotated or revoked; open streams are checked against it. */
  readonly credential: string
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number
  /** The one path that the credential was issued for. Absent: all of them. */
  readonly path?: string
}

export function hasExpired({ expiresAt }: Pick<Principal, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now
}

/**
 * A caller as names of sessions begin with it: the first slash there ends who it is. Issuers choose what their callers are
 * called, with slashes too; written so that it is still clear who is meant.
 *
 * @example
 * ownerName('agent:bob/team@id.example') // 'agent:bob%2Fteam@id.example'
 */
export function ownerName(id: string): string {
  return id.includes('/') || id.includes('%') ? id.replaceAll(/[%/]/g, encodeURIComponent) : id
}
