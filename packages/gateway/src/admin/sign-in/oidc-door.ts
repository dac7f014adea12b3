import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ConsoleTokens } from '../../tokens/console-tokens.ts'
import type { Identified, OidcFlow, UsedStates } from '../../tokens/oauth/oidc-flow.ts'
import { OIDC_CALLBACK, readCookie } from './identify.ts'
import type { Answer, IssuerLine } from './issuer-line.ts'

const COOKIE = 'hintgate_oidc'
const MINUTES = 10 * 60
const PLAIN = 'text/plain; charset=utf-8'
const NOT_LET_IN = 'You are not let in: the sign-in was not begun here, is over, or your account has no role.'
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

interface Deps {
  readonly flow: OidcFlow
  readonly used: UsedStates
  readonly line: IssuerLine
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
  const answer = await comeBack(url.searchParams, { req, res }, deps)
  const gone = cookie('', deps.isSecure)
  const headers = { ...HEADERS, 'content-type': PLAIN, 'set-cookie': gone }
  if ('refused' in answer) return void res.writeHead(429, headers).end(`${answer.refused}\n`)
  const { said: who } = answer
  if (who === undefined) return void res.writeHead(403, headers).end(`${NOT_LET_IN}\n`)
  const code = await deps.people.createCode(who.person, who.role, who.vouched)
  res.writeHead(302, { ...HEADERS, location: `/#code=${code}`, 'set-cookie': gone }).end()
}

/** Who came back, or why nobody is asked who it is. */
async function comeBack(
  query: URLSearchParams,
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
  { flow, used, line, isDirect }: Deps,
): Promise<Answer<Identified>> {
  const back = flow.readBack(query, readCookie(req.headers.cookie, COOKIE) ?? '')
  if (back === undefined || !used.use(back.state, back.expiresAt)) return { said: undefined }
  const address = isDirect ? req.socket.remoteAddress : undefined
  return line.ask({ address, onGone: listener => res.once('close', listener) }, () => flow.identify(back))
}

/** Lax, because it comes back from another site. */
function cookie(kept: string, isSecure: boolean): string {
  const age = kept === '' ? 0 : MINUTES
  return `${COOKIE}=${kept}; Path=/oidc; HttpOnly; SameSite=Lax; Max-Age=${age}${isSecure ? '; Secure' : ''}`
}
