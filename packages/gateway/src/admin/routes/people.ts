import { RateLimiterMemory } from 'rate-limiter-flexible'
import { ConsoleTokens } from '../../tokens/console-tokens.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { SAFE_HEADERS } from '../http/answer.ts'
import type { Handlers } from '../http/handler.ts'
import { AdminProblem } from '../http/problem.ts'
import { writeCookie } from '../sign-in/identify.ts'
import { countFailure, networkOf } from '../sign-in/oidc-sign-in.ts'

export function createPeopleHandlers(deps: AdminDeps) {
  const people = new ConsoleTokens(deps)
  const limit = new SignInLimit()
  const isSecure = (): boolean => deps.config().tls !== undefined || deps.config().behindProxy
  return {
    async signIn({ body }, { visit }) {
      const person = await people.exchange(body.code)
      if (person === undefined) {
        await limit.fail(visit.req.socket.remoteAddress ?? '')
        throw new AdminProblem(
          'sign_in_failed',
          'The link was already used, has expired or is invalid. Get a new one with: hintgate console',
        )
      }
      const { session, person: name, role, expiresAt } = person
      const seconds = Math.floor((expiresAt - Date.now()) / 1000)
      return json({ name, role, expiresAt }, writeCookie(session, seconds, isSecure()))
    },
    async signOut(_, { principal }) {
      await people.endSession(principal.credential)
      return json({}, writeCookie('', 0, isSecure()))
    },
    async me(_, { principal, role }) {
      const { name, expiresAt } = principal
      return {
        name,
        role,
        expiresAt,
        version: deps.version,
        demo: process.env.HINTGATE_DEMO === '1',
      }
    },
  } satisfies Partial<Handlers>
}

function json(body: object, cookie: string): Response {
  return new Response(JSON.stringify(body), {
    headers: { ...SAFE_HEADERS, 'content-type': 'application/json', 'set-cookie': cookie },
  })
}

const MINUTE = 60

/**
 * Limits attempts to sign in with a wrong code. A valid code is never refused, because behind a proxy all clients share
 * one address, and a client without a code could otherwise lock out the others. The limit is a precaution: a code has
 * 256 bits and cannot be guessed.
 */
export class SignInLimit {
  readonly #each = new RateLimiterMemory({ points: 10, duration: MINUTE })
  readonly #all = new RateLimiterMemory({ points: 100, duration: MINUTE })

  async fail(address: string): Promise<void> {
    const ofEach = await countFailure(this.#each, networkOf(address))
    const seconds = ofEach > 0 ? ofEach : await countFailure(this.#all, 'all')
    if (seconds > 0)
      throw new AdminProblem('too_many', `Too many sign-in attempts. Try again in ${seconds} seconds.`)
  }
}
