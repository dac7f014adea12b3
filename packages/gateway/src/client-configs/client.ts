import type { Json } from '../protocol/messages.ts'
import type { Place } from './place.ts'
import type { ReferenceStyle } from './references.ts'

/**
 * `user`: for everything this person does. `project`: a file in the project, which others may get with it. `local`:
 * for this person in this project.
 */
export type ClientScope = 'user' | 'project' | 'local'

/** A file of a client that may name servers. */
export interface ClientFile {
  readonly scope: ClientScope
  readonly path: string
  /** Where in it the servers are: keys from the root. */
  readonly block: readonly string[]
}

/** How a client reaches the gateway. */
export type Way =
  | { readonly kind: 'http'; readonly url: string; readonly token: string }
  | { readonly kind: 'stdio'; readonly command: string; readonly args: readonly string[] }

/** What is different from client to client; everything else is done once for all of them. */
export interface Client {
  /** What the command line calls it; also the name of its token. */
  readonly id: string
  readonly title: string
  readonly format: 'json' | 'toml'
  /** Servers by name, or a list in which each has a `name`. */
  readonly shape: 'object' | 'array'
  /** How its file refers to the environment. */
  readonly references: ReferenceStyle
  readonly files: (place: Place) => readonly ClientFile[]
  /** Whether it can be given an address and a header. */
  readonly speaksHttp: boolean
  /** Our entry, in the client's words. */
  readonly describeGateway: (way: Way) => Json
  /** What has to happen before it uses a new entry. */
  readonly afterwards: string
}

export const bearer = (token: string): string => `Bearer ${token}`

/** The words that most clients use. */
export function describeUsual(way: Way): Json {
  if (way.kind === 'stdio') return { command: way.command, args: way.args }
  return { url: way.url, headers: { Authorization: bearer(way.token) } }
}
