import type { Json } from '../../../protocol/messages.ts'
import { DocumentError } from './document-error.ts'
import { asObject, asObjects, asText } from './follow.ts'

export interface BaseUrl {
  readonly url: URL
  /** True if the document chose the address, and not the config. Such an address must be on the public internet. */
  readonly isFromDocument: boolean
}

/** Returns the base address of all operations. The config's `url` comes before the document's `servers`. */
export function findBaseUrl(root: Json, configured: string | undefined, name: string): BaseUrl {
  if (configured !== undefined) return { url: new URL(configured), isFromDocument: false }
  const written = serverOf(root)
  const url = written !== undefined && URL.canParse(written) ? new URL(written) : undefined
  if (url === undefined)
    throw new DocumentError(`${name}: "servers" has no complete address; add "url" to the server's config`)
  if (url.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new DocumentError(
      `${name}: "servers" gives ${url.origin}, which is not an https address; add "url" to the server's config if it is right`,
    )
  return { url, isFromDocument: true }
}

/** Returns the first address in `servers`, with the default values of its variables. */
export function serverOf({ servers }: Json): string | undefined {
  const [server] = asObjects(servers)
  if (server === undefined) return undefined
  const variables = asObject(server.variables)
  return asText(server.url)?.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
    const chosen = Object.hasOwn(variables, name) ? asText(asObject(variables[name]).default) : undefined
    return chosen ?? ''
  })
}
