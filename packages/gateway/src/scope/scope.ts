import type { CallVariant } from '@hintgate/metadata'
import type { Role } from './role.ts'

export type Permission = CallVariant | 'retrieve_tools'

/** The permissions of a token. `read`, `write` and `destructive` are accepted as short names on input. */
export const PERMISSIONS = [
  'retrieve_tools',
  'call_tool_read',
  'call_tool_write',
  'call_tool_destructive',
] as const satisfies readonly Permission[]

/** What a caller can reach. In globs, `*` matches any run of characters. */
export interface Scope {
  readonly permissions: readonly Permission[]
  /** Names of servers, or globs. */
  readonly servers: readonly string[]
  /** `server:tool` or `tool`, as globs. Undefined means every tool of those servers. */
  readonly tools?: readonly string[] | undefined
  /** Which calls need approval. Overrides `confirm` in the config. */
  readonly confirm?:
    | Readonly<Partial<Record<'read' | 'write' | 'destructive', 'never' | 'always'>>>
    | undefined
  readonly rate?: Rate | undefined
  /**
   * True if the client is trusted to state what its user asked for. Values in that statement count as given by the
   * user.
   */
  readonly statesTask?: boolean | undefined
  /** People only: their role in the admin API. Undefined means all rights. */
  readonly role?: Role
  /** Set if the credential is valid only for the console: a one-time sign-in code, or the session that it created. */
  readonly console?: ConsoleUse
}

export interface ConsoleUse {
  readonly kind: 'code' | 'session'
  readonly person: string
  /** The issuer's statement about the person. Undefined if the code came from `hintgate console` on this machine. */
  readonly vouched?: Vouched
}

/** An issuer's claims about a person. The config's grants are evaluated again at every use of the session. */
export interface Vouched {
  readonly issuer: string
  readonly claims: Readonly<Record<string, unknown>>
}

export interface Rate {
  readonly limit: number
  readonly windowMs: number
}

/** Replaces the credential of local callers, who started the process themselves and have all rights. */
export type LocalCredential = 'stdio' | 'cli'

const LOCAL_CREDENTIALS: ReadonlySet<string> = new Set<LocalCredential>(['stdio', 'cli'])

export function isLocal({ credential }: Principal): boolean {
  return LOCAL_CREDENTIALS.has(credential)
}

/** The authenticated caller. There are no anonymous callers. */
export interface Principal {
  /** Unique across agents and people: `agent:reporting-bot`. */
  readonly id: string
  readonly name: string
  readonly kind: 'agent' | 'person'
  readonly scope: Scope
  /** Changes when the credential is rotated or revoked; open streams are checked against it. */
  readonly credential: string
  /** Milliseconds since the epoch. */
  readonly expiresAt?: number
  /** The only path that the credential is valid for. Undefined means all paths. */
  readonly path?: string
}

export function hasExpired({ expiresAt }: Pick<Principal, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now
}

/**
 * A caller's id as the prefix of session names, where the first slash marks the end of the id. Issuers choose their
 * callers' names, which can contain slashes; these are escaped, so that the prefix stays unambiguous.
 *
 * @example
 * ownerName('agent:bob/team@id.example') // 'agent:bob%2Fteam@id.example'
 */
export function ownerName(id: string): string {
  return id.includes('/') || id.includes('%') ? id.replaceAll(/[%/]/g, encodeURIComponent) : id
}
