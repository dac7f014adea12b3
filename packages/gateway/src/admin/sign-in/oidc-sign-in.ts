import type { IncomingMessage, ServerResponse } from 'node:http'
import { isIPv6 } from 'node:net'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { FairQueue, Ticket } from '../../admission/fair-queue.ts'
import { LIMITS } from '../../admission/limits.ts'
import type { ConsoleTokens } from '../../tokens/console-tokens.ts'
import type { Identified, OidcFlow, UsedStates } from '../../tokens/oauth/oidc-flow.ts'
import { OIDC_CALLBACK, readCookie } from './identify.ts'

const COOKIE = 'hintgate_oidc'
const MINUTES = 10 * 60
const PLAIN = 'text/plain; charset=utf-8'
const NOT_LET_IN =
  'Sign-in failed. It was not started in this browser, it has expired, or your account has no role. Open the console and try again, or ask an admin for a role.'
const HEADERS = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' }

interface Deps {
  readonly flow: OidcFlow
  readonly used: UsedStates
  readonly issuerQueue: IssuerQueue
  /** True if clients connect without a proxy, so that each address belongs to a single client. */
  readonly isDirect: boolean
  readonly people: ConsoleTokens
  readonly isSecure: boolean
}

/** Signs a person in through an issuer, then issues a code like the one that `hintgate console` prints. */
export async function signInByOidc(req: IncomingMessage, res: ServerResponse, deps: Deps): Promise<void> {
  const url = new URL(req.url ?? '/', 'http://localhost')
  // The console checks with HEAD whether to show a sign-in button.
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

async function comeBack(
  query: URLSearchParams,
  { req, res }: { readonly req: IncomingMessage; readonly res: ServerResponse },
  { flow, used, issuerQueue, isDirect }: Deps,
): Promise<Answer<Identified>> {
  const back = flow.readBack(query, readCookie(req.headers.cookie, COOKIE) ?? '')
  if (back === undefined || !used.use(back.state, back.expiresAt)) return { said: undefined }
  const address = isDirect ? req.socket.remoteAddress : undefined
  return issuerQueue.ask({ address, onGone: listener => res.once('close', listener) }, () =>
    flow.identify(back),
  )
}

/** Writes the cookie with SameSite=Lax, because the issuer's site sends the browser back here. */
function cookie(kept: string, isSecure: boolean): string {
  const age = kept === '' ? 0 : MINUTES
  return `${COOKIE}=${kept}; Path=/oidc; HttpOnly; SameSite=Lax; Max-Age=${age}${isSecure ? '; Secure' : ''}`
}

const { slots, waiting, patienceMs } = LIMITS.turns.ofIssuer
const BUSY = 'Too many sign-ins are in progress. Try again.'

interface Asker {
  /** The client's address; undefined if all clients share one, as behind a proxy. */
  readonly address: string | undefined
  onGone(listener: () => void): void
}

type Answer<T> = { readonly said: T | undefined } | { readonly refused: string }

/**
 * Limits requests to the issuer, because the gateway sends them before it knows that a callback is genuine. A few run
 * at the same time; the others wait, and addresses take turns. Failed sign-ins are counted only for an address that
 * belongs to a single client, because strangers could use up a shared count and lock everyone out.
 */
export class IssuerQueue {
  readonly #queue = new FairQueue({ slots, waiting })
  readonly #failed = new RateLimiterMemory({ points: 10, duration: 60 })

  async ask<T>(asker: Asker, question: () => Promise<T | undefined>): Promise<Answer<T>> {
    const ticket = new Ticket()
    asker.onGone(() => ticket.stopWaiting())
    const network = asker.address === undefined ? undefined : networkOf(asker.address)
    const turn = await this.#queue.enter(ticket, network ?? '', patienceMs)
    try {
      return turn === 'granted' ? await this.#count(network, question) : { refused: BUSY }
    } finally {
      this.#queue.release(ticket)
    }
  }

  /** Counts a sign-in as failed until it succeeds. */
  async #count<T>(address: string | undefined, question: () => Promise<T | undefined>): Promise<Answer<T>> {
    if (address === undefined) return { said: await question() }
    const seconds = await countFailure(this.#failed, address)
    if (seconds > 0) return { refused: `Too many sign-in attempts. Try again in ${seconds} seconds.` }
    const said = await question()
    if (said !== undefined) await this.#failed.reward(address)
    return { said }
  }
}

/** Counts a failure. Returns the seconds until the next attempt is allowed, or 0 if the limit is not exceeded. */
export async function countFailure(limiter: RateLimiterMemory, key: string): Promise<number> {
  try {
    await limiter.consume(key)
    return 0
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.max(1, Math.ceil(error.msBeforeNext / 1000))
    throw error
  }
}

const GROUPS = 8

/**
 * Returns a client's network. With IPv6, a client has a whole /64 and can change its address at will.
 *
 * @example
 * networkOf('2001:db8:1:2::7') // '2001:db8:1:2'
 */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%')
  // An IPv4-mapped address contains dots and is used as it is.
  if (!isIPv6(plain) || plain.includes('.')) return address
  const [before = [], behind = []] = plain.split('::').map(side => side.split(':').filter(Boolean))
  const between = Array.from({ length: GROUPS - before.length - behind.length }, () => '0')
  return [...before, ...between, ...behind]
    .slice(0, GROUPS / 2)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}
