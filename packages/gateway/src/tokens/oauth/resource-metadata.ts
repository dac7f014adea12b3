import type { OAuthConfig } from './oauth-config.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'
/** It goes into a header. */
const PLAIN = /^\/mcp[\w./-]*$/

/** RFC 9728: what a client that has no token yet must know. Undefined: the path is not about that. */
export function describeResource(path: string, { resource, issuers }: OAuthConfig): object | undefined {
  if (path !== WELL_KNOWN && !path.startsWith(`${WELL_KNOWN}/mcp`)) return undefined
  const scopes = issuers.flatMap(({ grants }) => grants.flatMap(({ when }) => when.scope ?? []))
  return {
    resource: `${resource}${path.slice(WELL_KNOWN.length)}`,
    authorization_servers: issuers.map(({ issuer }) => issuer),
    ...(scopes.length === 0 ? {} : { scopes_supported: [...new Set(scopes)] }),
    bearer_methods_supported: ['header'],
    resource_name: 'Hintgate',
  }
}

/** Where the metadata of what is behind a path is. */
export function metadataUrlOf(path: string, { resource }: OAuthConfig): string {
  return `${resource}${WELL_KNOWN}${PLAIN.test(path) ? path : ''}`
}
