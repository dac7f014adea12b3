import type { CallVariant } from '@hintgate/metadata'

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
  readonly tools?: readonly string[]
  /** Which calls ask a person first, where it differs from the config. */
  readonly confirm?: Readonly<Partial<Record<'read' | 'write' | 'destructive', 'never' | 'always'>>>
  /** How many calls there may be in a while. */
  readonly rate?: Rate
}

export interface Rate {
  readonly limit: number
  readonly windowMs: number
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
}
