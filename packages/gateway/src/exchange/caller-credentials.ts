import { CREDENTIAL_PREFIX } from '../upstream/openapi/api-target.ts'

/** Maximum length of a credential. Longer headers are refused by most servers. */
const MOST = 8192

/**
 * A caller's own credentials for the APIs behind the gateway. Each goes only to the server that its header names. They
 * stay with the request: they are never stored or logged, and the private member keeps them out of anything that prints
 * or serialises a caller.
 */
export class CallerCredentials {
  readonly #byServer: ReadonlyMap<string, string>

  constructor(byServer: ReadonlyMap<string, string>) {
    this.#byServer = byServer
  }

  /** Returns the credential for a server. Header names have no case, so neither has the server's name here. */
  for(server: string): string | undefined {
    return this.#byServer.get(server.toLowerCase())
  }
}

/** Reads the credentials among the headers of a request. One that is sent twice is left out, because it is unclear. */
export function readCredentials(rawHeaders: readonly string[]): CallerCredentials | undefined {
  let found: Map<string, string> | undefined
  const repeated: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length <= CREDENTIAL_PREFIX.length || !isCredential(name)) continue
    const server = name.slice(CREDENTIAL_PREFIX.length).toLowerCase()
    const value = (rawHeaders[at + 1] ?? '').trim()
    found ??= new Map()
    if (found.has(server) || value === '' || value.length > MOST) repeated.push(server)
    found.set(server, value)
  }
  for (const server of repeated) found?.delete(server)
  return found === undefined ? undefined : new CallerCredentials(found)
}

function isCredential(name: string): boolean {
  return name.slice(0, CREDENTIAL_PREFIX.length).toLowerCase() === CREDENTIAL_PREFIX
}
