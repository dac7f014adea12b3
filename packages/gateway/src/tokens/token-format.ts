import { createHmac } from 'node:crypto'

export type TokenKind = 'agent' | 'person'

const PREFIX: Readonly<Record<TokenKind, string>> = { agent: 'hg_agent_', person: 'hg_admin_' }

/** The bytes of a secret, 256 bits. */
const SECRET_BYTES = 32
const FORMAT = /^hg_(?:agent|admin)_[\w-]{43}$/

export function createToken(kind: TokenKind, randomBytes: (size: number) => Buffer): string {
  return PREFIX[kind] + randomBytes(SECRET_BYTES).toString('base64url')
}

export function isWellFormed(token: string): boolean {
  return FORMAT.test(token)
}

/** Returns the beginning of a token, which is enough to recognise it in a list: 24 of its 256 bits. */
export function hintOf(token: string): string {
  return `${token.slice(0, PREFIX.agent.length + 4)}…`
}

/** Returns the stored form of a token. Without the key, not even a guess can be checked against a stolen database. */
export function hashToken(token: string, key: Buffer): string {
  return createHmac('sha256', key).update(token).digest('hex')
}

/** A valid name of a token or a server: letters, digits, dots, dashes and underscores. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

export function isTokenName(name: string): boolean {
  return NAME.test(name)
}

const BEARER = /^Bearer +([^\s]+) *$/i
const USUAL = 'Bearer '
const BLANK = /\s/

/** Reads the token in an `Authorization` header; undefined for anything else. */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined
  // Nearly all headers have this form, which needs no regular expression.
  const rest = authorization.startsWith(USUAL) ? authorization.slice(USUAL.length) : ''
  return rest !== '' && !BLANK.test(rest) ? rest : BEARER.exec(authorization)?.[1]
}
