import { z } from 'zod'
import { ROLES } from '../../scope/role.ts'
import { duration, glob, maybe, permission, rate, safeUrl } from './leaves.ts'

/**
 * Returns, for each issuer in order, the suffix of its callers' names: the issuer's host, plus its path if several
 * issuers share the host, such as the realms and tenants of one provider. A suffix contains no `@`, so that the end of
 * a name is unambiguous. Issuers with the same suffix make the config invalid.
 *
 * @example
 * findDomains(['https://id.example/realms/a', 'https://id.example/realms/b', 'https://login.example/x'])
 * // ['id.example/realms/a', 'id.example/realms/b', 'login.example']
 */
export function findDomains(issuers: readonly string[]): string[] {
  const urls = issuers.map(issuer => new URL(issuer))
  return urls.map(({ host, pathname }) => {
    const isAlone = urls.filter(other => other.host === host).length === 1
    return isAlone ? host : `${host}${pathname.replace(/\/+$/, '').replaceAll('@', '%40')}`
  })
}

/**
 * The signature algorithms. None of them is symmetric, because anyone who can verify a symmetric signature can also
 * create one.
 */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

const grant = z
  .strictObject({
    when: z
      .record(z.string(), z.string())
      .describe(
        'The claims that a token must have, with their values. A claim with several values must contain the given value. All claims must match; {} matches every token.',
      ),
    permissions: maybe(z.array(permission), "The token's permissions."),
    servers: maybe(z.array(glob), 'The servers that the token can reach; * matches any characters.'),
    tools: maybe(
      z.array(glob),
      'The tools that the token can use, as tool or server:tool with *. Default: all.',
    ),
    rate: maybe(rate, 'The maximum rate of calls.'),
    role: maybe(z.enum(ROLES), 'For people: their role in the console and the admin API.'),
  })
  .superRefine(({ role, permissions, servers }, ctx) => {
    if (role !== undefined || (permissions !== undefined && servers !== undefined)) return
    ctx.addIssue({
      code: 'custom',
      message: 'this grant has no effect',
      params: { fix: 'add "permissions" and "servers" for agents, or "role" for people' },
    })
  })

const issuer = z.strictObject({
  issuer: safeUrl.describe("The issuer's URL, exactly as in its tokens."),
  jwks: maybe(safeUrl, "URL of the issuer's key set (JWKS), if the issuer's metadata does not give it."),
  audiences: maybe(z.array(z.string().min(1)), 'Audiences accepted in addition to `resource`.'),
  algorithms: maybe(
    z.array(z.enum(ALGORITHMS)).min(1),
    'Accepted signature algorithms. Default: RS256, PS256, ES256 and EdDSA.',
  ),
  clockSkew: maybe(duration, 'The accepted clock difference. Default: 30s.'),
  name: maybe(z.string().min(1), "The claim with the caller's name. Default: sub."),
  grants: z
    .array(grant)
    .describe("The permissions of the issuer's tokens. The first matching grant applies."),
})

const consoleClient = z.strictObject({
  issuer: safeUrl.describe('The issuer through which people sign in.'),
  clientId: z.string().min(1).describe('The client id under which the console is registered.'),
  clientSecret: maybe(z.string().min(1), 'The client secret, usually from the environment.'),
  scope: maybe(z.string().min(1), 'The requested scopes. Default: openid profile email.'),
})

export const oauth = z
  .strictObject({
    resource: safeUrl.describe("This gateway's public URL. Tokens must have it as their audience."),
    issuers: z.array(issuer).min(1).describe('The issuers whose access tokens are accepted.'),
    console: maybe(
      consoleClient,
      'Sign-in to the console with OpenID Connect, for people whose grant has a `role`.',
    ),
  })
  .superRefine(({ issuers }, ctx) => {
    // An invalid URL is reported separately.
    if (!issuers.every(known => URL.canParse(known.issuer))) return
    const domains = findDomains(issuers.map(known => known.issuer))
    domains.forEach((domain, at) => {
      if (domains.indexOf(domain) === at) return
      ctx.addIssue({
        code: 'custom',
        path: ['issuers', at, 'issuer'],
        message: `this issuer's callers cannot be distinguished from another issuer's, because both are named NAME@${domain}`,
        params: { fix: 'keep only one of the two issuers' },
      })
    })
  })
  .superRefine(({ issuers, console: client }, ctx) => {
    if (client === undefined || issuers.some(known => known.issuer === client.issuer)) return
    ctx.addIssue({
      code: 'custom',
      path: ['console', 'issuer'],
      message: 'this issuer is not listed in `issuers`',
      params: { fix: 'use one of `issuers`, spelled exactly as there' },
    })
  })

export type OAuthInput = z.output<typeof oauth>
