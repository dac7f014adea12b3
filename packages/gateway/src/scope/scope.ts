import type { CallVariant } from '@hintgate/metadata'
import type { Role } from './role.ts'

export type Permission = CallVariant | 'retrieve_tools'

/**
 * The permissions that a token can have. In config and commands, the short names `read`, `write` and `destructive` are
 * also accepted.
 */
export const PERMISSIONS = [
  'retrieve_tools',
  'call_tool_read',
  'call_tool_write',
  'call_tool_destructive',
] as const satisfies readonly Permission[]

/** The servers, tools and permissions that a caller has. In globs, `*` matches any run of characters. */
export interface Scope {
  readonly permissions: readonly Permission[]
  /** The names of servers, or globs. */
  readonly servers: readonly string[]
  /** Globs of the form `server:tool` or `tool`. Undefined means every tool of those servers. */
  readonly tools?: readonly string[] | undefined
  /** The rules about which calls need approval. They override `confirm` in the config. */
  readonly confirm?:
    | Readonly<Partial<Record<'read' | 'write' | 'destructive', 'never' | 'always'>>>
    | undefined
  readonly rate?: Rate | undefined
  /**
   * True if the client is trusted to state what its user asked for. Values in this statement count as given by the
   * user.
   */
  readonly statesTask?: boolean | undefined
  /** A person's role in the admin API. Undefined means all rights. Agents have no role. */
  readonly role?: Role
  /**
   * The kind of console credential, if the credential is valid only for the console: a one-time sign-in code, or the
   * session that was created with it.
   */
  readonly console?: ConsoleUse
}

export interface ConsoleUse {
  readonly kind: 'code' | 'session'
  readonly person: string
  /**
   * The claims of an OAuth issuer about the person. Undefined if the sign-in code came from `hintgate console` on this
   * machine.
   */
  readonly vouched?: Vouched
}

/**
 * An OAuth issuer's claims about a person. The grants in the config are applied to them again whenever the session is
 * used.
 */
export interface Vouched {
  readonly issuer: string
  readonly claims: Readonly<Record<string, unknown>>
}

export interface Rate {
  readonly limit: number
  readonly windowMs: number
}

/** Stands for the credential of local callers. They started the process themselves, so they have all rights. */
export type LocalCredential = 'stdio' | 'cli'

const LOCAL_CREDENTIALS: ReadonlySet<string> = new Set<LocalCredential>(['stdio', 'cli'])

export function isLocal({ credential }: Principal): boolean {
  return LOCAL_CREDENTIALS.has(credential)
}

/** The authenticated caller. There are no anonymous callers. */
export interface Principal {
  /** A stable id that is unique across agents and people, such as `agent:reporting-bot`. */
  readonly id: string
  readonly name: string
  readonly kind: 'agent' | 'person'
  readonly scope: Scope
  /**
   * Identifies the credential. It changes when the credential is rotated or revoked, and open streams are checked
   * against it.
   */
  readonly credential: string
  /** The time at which the credential expires, in milliseconds since the epoch. */
  readonly expiresAt?: number
  /** The only path for which the credential is valid. Undefined means all paths. */
  readonly path?: string
}

export function hasExpired({ expiresAt }: Pick<Principal, 'expiresAt'>, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now
}

/**
 * Returns a caller's id in the form in which session names begin with it. The first slash in a session name marks the
 * end of the id. Names that an OAuth issuer chose can contain slashes, which are escaped so that the id stays
 * unambiguous.
 * @example
 * ownerName('agent:bob/team@id.example') // 'agent:bob%2Fteam@id.example'
 */
export function ownerName(id: string): string {
  return id.includes('/') || id.includes('%') ? id.replaceAll(/[%/]/g, encodeURIComponent) : id
}
