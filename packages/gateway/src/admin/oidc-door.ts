import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConsoleTokens } from '../tokens/console-tokens.ts'
import type { Identified, OidcFlow } from '../tokens/oauth/oidc-flow.ts'
import type { UsedStates } from '../tokens/oauth/used-states.ts'
import { OIDC_CALLBACK } from './oidc-paths.ts'
import { AdminProblem } from './problem.ts'
import { readCookie } from './read-cookie.ts'
import type { SignInLimit } from './sign-in-limit.ts'

const COOKIE = 'hintgate_oidc'
const MINUTES = 10 * 60
const PLAIN = 'text/plain; charset=utf-8'
const NOT_LET_IN = 'You are not let in: the sign-in was not begun here, is over, or your account has no role.'
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

interface Deps {
  readonly flow: OidcFlow
  readonly used: UsedStates
  readonly limit: SignInLimit
  /** Whether the address of a connection is somebody's own. */
  readonly isDirect: boolean
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
  const who = await comeBack(url.searchParams, req, deps)
  const gone = cookie('', deps.isSecure)
  if (typeof who === 'string' || who === undefined)
    return void res
      .writeHead(who === undefined ? 403 : 429, { ...HEADERS, 'content-type': PLAIN, 'set-cookie': gone })
      .end(`${who ?? NOT_LET_IN}\n`)
  const code = await deps.people.createCode(who.person, who.role, who.vouched)
  res.writeHead(302, { ...HEADERS, location: `/#code=${code}`, 'set-cookie': gone }).end()
}

/**
 * Who came back, or why nobody is asked who it is. The issuer hears of it with our secret before anybody knows whether it
 * is worth anything, so it counts as wrong until it proves right.
 */
async function comeBack(
  query: URLSearchParams,
  req: IncomingMessage,
  { flow, used, limit, isDirect }: Deps,
): Promise<Identified | string | undefined> {
  const back = flow.readBack(query, readCookie(req.headers.cookie, COOKIE) ?? '')
  if (back === undefined || !used.use(back.state, back.expiresAt)) return undefined
  const address = isDirect ? req.socket.remoteAddress : undefined
  try {
    await limit.fail(address)
  } catch (error) {
    if (error instanceof AdminProblem) return error.message
    throw error
  }
  const who = await flow.identify(back)
  if (who !== undefined) await limit.forgive(address)
  return who
}

/** Lax, because it comes back from another site. */
function cookie(kept: string, isSecure: boolean): string {
  const age = kept === '' ? 0 : MINUTES
  return `${COOKIE}=${kept}; Path=/oidc; HttpOnly; SameSite=Lax; Max-Age=${age}${isSecure ? '; Secure' : ''}`
}
