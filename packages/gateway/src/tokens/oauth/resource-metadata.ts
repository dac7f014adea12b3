import type { OAuthConfig } from '../../config/schema/oauth-config.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'
const WELL_KNOWN_BELOW = `${WELL_KNOWN}/mcp`
/** Matches a path that is safe to write into a header. */
const PLAIN = /^\/mcp[\w./-]*$/

export function isMetadataPath(path: string): boolean {
  return path === WELL_KNOWN || path.startsWith(WELL_KNOWN_BELOW)
}

/**
 * Returns the metadata that RFC 9728 defines for clients that have no token. `path` is one that `isMetadataPath`
 * accepts.
 */
export function describeResource(path: string, { resource, issuers }: OAuthConfig): object {
  const scopes = issuers.flatMap(({ grants }) => grants.flatMap(({ when }) => when.scope ?? []))
  return {
    resource: `${resource}${path.slice(WELL_KNOWN.length)}`,
    authorization_servers: issuers.map(({ issuer }) => issuer),
    ...(scopes.length === 0 ? {} : { scopes_supported: [...new Set(scopes)] }),
    bearer_methods_supported: ['header'],
    resource_name: 'Hintgate',
  }
}

export function metadataUrlOf(path: string, { resource }: OAuthConfig): string {
  return `${resource}${WELL_KNOWN}${PLAIN.test(path) ? path : ''}`
}
