const OIDC_START = '/oidc/start'
/** Where the issuer sends people back to. */
export const OIDC_CALLBACK = '/oidc/callback'

/** Where people sign in with an issuer of the config. */
export function isOidcPath(path: string): boolean {
  return path === OIDC_START || path === OIDC_CALLBACK
}
