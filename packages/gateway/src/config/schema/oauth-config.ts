import type { Scope } from '../../scope/scope.ts'

/** Whose access tokens are accepted besides our own, and what they are good for. */
export interface OAuthConfig {
  /** Under which address clients know this gateway, without a slash at the end: what tokens must be meant for. */
  readonly resource: string
  readonly issuers: readonly IssuerConfig[]
  /** How people sign in to the console with one of them. */
  readonly console?: ConsoleClient
}

export interface ConsoleClient {
  readonly issuer: IssuerConfig
  readonly clientId: string
  readonly clientSecret?: string
  readonly scope: string
}

export interface IssuerConfig {
  readonly issuer: string
  /** What follows the names of its callers; no other issuer has the same. */
  readonly domain: string
  /** Where its keys are; absent: its metadata says so. */
  readonly jwks?: string
  /** Accepted besides the gateway's own address. */
  readonly audiences: readonly string[]
  readonly algorithms: readonly string[]
  /** How much its clock may differ from ours. */
  readonly clockSkewMs: number
  /** The claim that says who it is. */
  readonly nameClaim: string
  /** The first whose conditions hold is what the token is good for. */
  readonly grants: readonly Grant[]
}

export interface Grant {
  /** claim → what it must be, or have among its values. */
  readonly when: Readonly<Record<string, string>>
  readonly kind: 'agent' | 'person'
  readonly scope: Scope
}

/** Nothing that is made with a secret that two sides know: whoever can check such a token can make one. */
export const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const
