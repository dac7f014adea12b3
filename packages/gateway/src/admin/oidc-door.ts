import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConsoleTokens } from '../tokens/console-tokens.ts'
import type { OidcFlow } from '../tokens/oauth/oidc-flow.ts'
import { OIDC_CALLBACK } from './oidc-paths.ts'
import { readCookie } from './read-cookie.ts'

const COOKIE = 'hintgate_oidc'
const MINUTES = 10 * 60
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

interface Deps {
  readonly flow: OidcFlow
  readonly people: ConsoleTokens
  readonly isSecure: boolean
}

/** Asks an issuer who somebody is, and lets them in with a code like that of `hintgate console`. */
export async function signInByOidc(req: IncomingMessage, res: ServerResponse, deps: Deps): Promise<void> {
  const url = new URL(req.url ?? '/', 'http://localhost')
  // The console asks whether this is there before it shows a button.
  if (req.method === 'HEAD') return void res.writeHead(204, HEADERS).end()
  if (req.method !== 'GET') return void res.writeHead(405, { allow: 'GET, HEAD' }).end()
  if (url.pathname !== OIDC_CALLBACK) {
    const { url: location, kept } = await deps.flow.begin()
    return void res.writeHead(302, { ...HEADERS, location, 'set-cookie': cookie(kept, deps.isSecure) }).end()
  }
  const who = await deps.flow.finish(url.searchParams, readCookie(req.headers.cookie, COOKIE) ?? '')
  const gone = cookie('', deps.isSecure)
  if (who === undefined)
    return void res
      .writeHead(403, { ...HEADERS, 'content-type': 'text/plain; charset=utf-8', 'set-cookie': gone })
      .end('You are not let in: the sign-in was not begun here, is over, or your account has no role.\n')
  const code = await deps.people.createCode(who.person, who.role, who.vouched)
  res.writeHead(302, { ...HEADERS, location: `/#code=${code}`, 'set-cookie': gone }).end()
}

/** Lax, because it comes back from another site. */
function cookie(kept: string, isSecure: boolean): string {
  const age = kept === '' ? 0 : MINUTES
  return `${COOKIE}=${kept}; Path=/oidc; HttpOnly; SameSite=Lax; Max-Age=${age}${isSecure ? '; Secure' : ''}`
}
