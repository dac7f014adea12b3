import type { TokenDescription } from '../tokens/describe-token.ts'
import { type DoctorFinding, quote } from './finding.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const SOON_DAYS = 7

/** Tokens that end soon or have ended, and names of the config that nobody can use yet. */
export function checkTokens(tokens: readonly TokenDescription[], now: number): readonly DoctorFinding[] {
  return tokens.flatMap(token => checkToken(token, now))
}

function checkToken(token: TokenDescription, now: number): readonly DoctorFinding[] {
  const { name, status, expires, scope } = token
  if (status === 'without token')
    return [
      {
        code: 'token_missing',
        level: 'warning',
        text: `agent_tokens has ${name}, but there is no token for it`,
        fix: `hintgate tokens create ${name}`,
      },
    ]
  if (expires === undefined || status === 'revoked') return []
  const days = (Date.parse(expires) - now) / DAY_MS
  if (days > SOON_DAYS) return []
  const isOver = days <= 0
  return [
    {
      code: isOver ? 'token_expired' : 'token_expires_soon',
      // Who is gone for good leaves a token behind that ends, and nobody has to do anything about it.
      level: isOver ? 'info' : 'warning',
      text: `the token of ${name} ${isOver ? 'ended' : 'ends'} at ${expires}`,
      fix:
        scope === 'config'
          ? `set a later "expires" for ${name} in agent_tokens, or revoke it`
          : `hintgate tokens revoke ${name} && ${creationOf(token)} (with its --rate and --confirm, if it had any)`,
    },
  ]
}

/** A token that is rotated ends when it would have ended; only a new one lives longer. */
function creationOf({ name, kind, role, permissions, servers, tools }: TokenDescription): string {
  const flags =
    kind === 'person'
      ? [`--role ${role ?? 'admin'}`]
      : [
          `--permissions ${permissions.join(',')}`,
          `--servers ${quote(servers.join(','))}`,
          ...(tools === undefined ? [] : [`--tools ${quote(tools.join(','))}`]),
        ]
  return [`hintgate tokens create ${name}`, ...flags, '--expires 30d'].join(' ')
}
