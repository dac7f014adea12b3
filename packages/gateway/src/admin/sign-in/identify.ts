import type { Principal } from '../../scope/scope.ts'
import { readBearer } from '../../tokens/token-format.ts'
import { isRefusal, type Tokens } from '../../tokens/tokens.ts'
import type { Visit } from '../http/handler.ts'
import type { ProblemCode } from '../http/problem.ts'

interface Unwelcome {
  readonly problem: ProblemCode
  readonly headers?: Readonly<Record<string, string>>
}

const COOKIE = 'hintgate_session'
const MISSING = { 'www-authenticate': 'Bearer realm="hintgate"' }
const EXPIRED = {
  'www-authenticate':
    'Bearer realm="hintgate", error="invalid_token", error_description="the token has expired"',
}
const INVALID = { 'www-authenticate': 'Bearer realm="hintgate", error="invalid_token"' }

/** Identifies the owner of the token or, if there is none, of the session cookie. */
export async function identify({ req, headers }: Visit, tokens: Tokens): Promise<Principal | Unwelcome> {
  if (headers.authorization !== undefined) {
    const token = readBearer(headers.authorization)
    const found = token === undefined ? undefined : await tokens.authenticate(token)
    if (found === undefined || isRefusal(found))
      return { problem: 'not_signed_in', headers: found?.code === 'expired' ? EXPIRED : INVALID }
    // The token was issued for one path of the MCP surfaces, so it is invalid here.
    if (found.path !== undefined) return { problem: 'not_signed_in', headers: INVALID }
    return found.kind === 'person' ? found : { problem: 'not_for_agents' }
  }
  const session = readCookie(req.headers.cookie, COOKIE)
  if (session === undefined) return { problem: 'not_signed_in', headers: MISSING }
  const found = await tokens.authenticateSession(session)
  if (isRefusal(found)) return { problem: 'not_signed_in', headers: INVALID }
  return isSafe(req.method) || isFromConsole(req.headers) ? found : { problem: 'csrf' }
}

function isSafe(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}

/**
 * True if the console itself sent the request. Browsers also send the cookie with requests that other pages cause, and
 * pages on other ports of this machine count as the same site, but none of them can set this header or fake the origin.
 */
function isFromConsole(headers: Visit['req']['headers']): boolean {
  const { origin, host } = headers
  if (headers['x-hintgate-csrf'] !== '1' || origin === undefined || !URL.canParse(origin)) return false
  return new URL(origin).host === host?.toLowerCase()
}

/** Writes the session cookie, which scripts cannot read and other sites cannot use. */
export function writeCookie(session: string, maxAgeSeconds: number, isSecure: boolean): string {
  const parts = [
    `${COOKIE}=${session}`,
    'Path=/',
    'HttpOnly',
    'SameSite=Strict',
    `Max-Age=${maxAgeSeconds}`,
    ...(isSecure ? ['Secure'] : []),
  ]
  return parts.join('; ')
}

export function readCookie(header: string | undefined, name: string): string | undefined {
  const found = header?.split(';').find(part => part.trim().startsWith(`${name}=`))
  return found?.trim().slice(name.length + 1)
}

const OIDC_START = '/oidc/start'
export const OIDC_CALLBACK = '/oidc/callback'

export function isOidcPath(path: string): boolean {
  return path === OIDC_START || path === OIDC_CALLBACK
}
