import { createHmac } from 'node:crypto'

export type TokenKind = 'agent' | 'person'

const PREFIX: Readonly<Record<TokenKind, string>> = { agent: 'hg_agent_', person: 'hg_admin_' }

/** Length of a secret, which is 256 bits. */
const SECRET_BYTES = 32
const FORMAT = /^hg_(?:agent|admin)_[\w-]{43}$/

export function createToken(kind: TokenKind, randomBytes: (size: number) => Buffer): string {
  return PREFIX[kind] + randomBytes(SECRET_BYTES).toString('base64url')
}

export function isWellFormed(token: string): boolean {
  return FORMAT.test(token)
}

/** Returns the beginning of a token, by which people recognise it in a list. It reveals 24 of the token's 256 bits. */
export function hintOf(token: string): string {
  return `${token.slice(0, PREFIX.agent.length + 4)}…`
}

/**
 * Returns the form in which a token is stored. An attacker who has the database but not the key cannot even check a
 * guess.
 */
export function hashToken(token: string, key: Buffer): string {
  return createHmac('sha256', key).update(token).digest('hex')
}

/** Matches a valid name of a token or a server: letters, digits, dots, dashes and underscores. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

export function isTokenName(name: string): boolean {
  return NAME.test(name)
}

const BEARER = /^Bearer +([^\s]+) *$/i
const USUAL = 'Bearer '
const BLANK = /\s/

/** Returns the token in an `Authorization` header; undefined if the header contains anything else. */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  // Nearly all headers begin like this, so the regular expression is rarely needed.
  const rest = authorization.startsWith(USUAL) ? authorization.slice(USUAL.length) : ''
  return rest !== '' && !BLANK.test(rest) ? rest : BEARER.exec(authorization)?.[1]
}
