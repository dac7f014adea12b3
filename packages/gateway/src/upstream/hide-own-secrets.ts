import type { TransportConfig } from '../config/config.ts'
import { maskSecrets } from '../detect/mask-secrets.ts'

/** What stands in place of a secret. */
const HIDDEN = '[masked]'
/** Shorter values are words, ports and switches. */
const SHORT = 6

/**
 * Takes out of what a server says of itself when it fails whatever the config gave it in confidence: it goes into errors
 * that agents read, and into logs.
 */
export function hideOwnSecrets(transport: TransportConfig): (text: string) => string {
  const own = secretsOf(transport).filter(secret => secret.length >= SHORT)
  // The longest first: one may stand in another.
  const secrets = [...new Set(own)].toSorted((a, b) => b.length - a.length)
  return text => maskSecrets(secrets.reduce((left, secret) => left.replaceAll(secret, HIDDEN), text))
}

function secretsOf(transport: TransportConfig): readonly string[] {
  if (transport.kind === 'stdio')
    return [...Object.values(transport.env), ...transport.args.flatMap(inArgument)]
  const { searchParams, username, password } = new URL(transport.url)
  const headers = Object.values(transport.headers).flatMap(value => [value, ...value.split(' ')])
  return [...headers, ...searchParams.values(), username, password].map(String)
}

/** `--token=x`; what stands apart from its name may be anything, a path for instance. */
function inArgument(argument: string): readonly string[] {
  const [name = '', ...value] = argument.split('=')
  return /pass|secret|token|key|auth|credential/i.test(name) && value.length > 0 ? [value.join('=')] : []
}
