/** Separates the server's name from the name of its tool or prompt. No server's name contains it. */
export const SEPARATOR = '__'

/** A name of one server, and the name under which an endpoint with many servers shows it: `server__name`. */
export interface ServersName {
  readonly server: string
  readonly name: string
}

export function joinName({ server, name }: ServersName): string {
  return `${server}${SEPARATOR}${name}`
}

/**
 * Splits a name at the first separator. Undefined if it names no server.
 *
 * @example
 * splitName('crm__get__all') // { server: 'crm', name: 'get__all' }
 */
export function splitName(joined: unknown): ServersName | undefined {
  if (typeof joined !== 'string') return undefined
  const at = joined.indexOf(SEPARATOR)
  return at < 1 ? undefined : { server: joined.slice(0, at), name: joined.slice(at + SEPARATOR.length) }
}
