import { z } from 'zod'
import { ROLES } from '../../scope/role.ts'
import { duration, glob, maybe, permission, rate, safeUrl } from './leaves.ts'

/**
 * What follows the names of each issuer's callers, in the order of the issuers: its host, as most set-ups have one
 * issuer of a host, and its path, too, where several are at one, such as the realms and tenants of one provider.
 * No `@` is in it, so that it is clear where a name ends. Those of different issuers may be the same; a config with
 * such issuers is refused.
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

/** Nothing that is made with a secret that two sides know: whoever can check such a token can make one. */
const ALGORITHMS = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

const grant = z
  .strictObject({
    when: z
      .record(z.string(), z.string())
      .describe('claim → what it must be, or have among its values; all of them. {} is every token.'),
    permissions: maybe(z.array(permission), 'What the token may be used for.'),
    servers: maybe(z.array(glob), 'Names of the servers it may reach; * stands for any characters.'),
    tools: maybe(z.array(glob), 'Tools it may use, as tool or server:tool with *; all if absent.'),
    rate: maybe(rate, 'How many calls it may be used for.'),
    role: maybe(z.enum(ROLES), 'For people: what they may do in the console and the admin API.'),
  })
  .superRefine(({ role, permissions, servers }, ctx) => {
    if (role !== undefined || (permissions !== undefined && servers !== undefined)) return
    ctx.addIssue({
      code: 'custom',
      message: 'this grants nothing',
      params: { fix: 'give "permissions" and "servers" for agents, or "role" for people' },
    })
  })

const issuer = z.strictObject({
  issuer: safeUrl.describe('As its tokens name it, to the letter.'),
  jwks: maybe(safeUrl, 'Where its keys are, if its metadata does not say so.'),
  audiences: maybe(z.array(z.string().min(1)), 'Accepted besides `resource`.'),
  algorithms: maybe(
    z.array(z.enum(ALGORITHMS)).min(1),
    'How its tokens may be signed; RS256, PS256, ES256 and EdDSA.',
  ),
  clockSkew: maybe(duration, 'How much its clock may differ from ours; 30s.'),
  name: maybe(z.string().min(1), 'The claim that says who it is; sub.'),
  grants: z.array(grant).describe('What its tokens are good for; the first that fits counts.'),
})

const consoleClient = z.strictObject({
  issuer: safeUrl.describe('Which of the issuers people sign in with.'),
  clientId: z.string().min(1).describe('As the console is registered there.'),
  clientSecret: maybe(z.string().min(1), 'Its secret, usually from the environment.'),
  scope: maybe(z.string().min(1), 'What to ask for; openid profile email.'),
})

export const oauth = z
  .strictObject({
    resource: safeUrl.describe(
      'The address under which clients know this gateway; tokens must be meant for it.',
    ),
    issuers: z.array(issuer).min(1).describe('Whose access tokens are accepted.'),
    console: maybe(
      consoleClient,
      'Sign in to the console with OpenID Connect; grants with a `role` say who may.',
    ),
  })
  .superRefine(({ issuers }, ctx) => {
    // What is no address is complained about by itself.
    if (!issuers.every(known => URL.canParse(known.issuer))) return
    const domains = findDomains(issuers.map(known => known.issuer))
    domains.forEach((domain, at) => {
      if (domains.indexOf(domain) === at) return
      ctx.addIssue({
        code: 'custom',
        path: ['issuers', at, 'issuer'],
        message: `its callers would be taken for those of another issuer: both are called NAME@${domain}`,
        params: { fix: 'keep one of the two' },
      })
    })
  })
  .superRefine(({ issuers, console: client }, ctx) => {
    if (client === undefined || issuers.some(known => known.issuer === client.issuer)) return
    ctx.addIssue({
      code: 'custom',
      path: ['console', 'issuer'],
      message: 'this is none of the issuers',
      params: { fix: 'write one of `issuers`, to the letter' },
    })
  })

export type OAuthInput = z.output<typeof oauth>
