import type { TokenClass } from './lexicon.ts'

/** Maximum length of an address or a path. Longer chunks are checked for encoded text instead. */
const MAX_CHUNK = 400

const EMAIL = /^[\w.%+-]{1,64}@[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){1,4}$/
/** Matches payment addresses: Ethereum, Bitcoin, IBAN. */
const PAYMENT = /^(?:0x[0-9a-f]{40}|bc1[0-9a-z]{25,60}|(?!..0[01])[a-z]{2}\d{2}(?:[a-z]{4})?\d{10,26})$/
/** Matches the URI of a resource of an MCP server or an application. */
const RESOURCE = /^[a-z][a-z0-9+.-]{1,20}:\/\/\w/
const WEB = /(?:https?|wss?|ftp):\/\//

/**
 * Match files that usually contain credentials, but not public keys. Each pattern starts at a path separator, so it
 * does not match words in prose.
 */
const SECRET_FILES: readonly RegExp[] = [
  /(?:^|[\\/~])\.(?:ssh|aws|gnupg|password-store)(?:[\\/]|$)/,
  /[\\/]\.(?:azure|config[\\/]gcloud|kube|docker|cursor)(?:[\\/]|$)/,
  /(?:^|[\\/])id_(?:rsa|dsa|ecdsa|ed25519)$/,
  /(?:^|[\\/])\.env(?:\.[a-z]{1,16})?$/,
  /(?:^|[\\/])\.(?:netrc|npmrc|pypirc|pgpass|git-credentials|htpasswd|vault-token|bash_history|zsh_history|gitconfig|boto)$/,
  /[\\/]etc[\\/](?:passwd|shadow|sudoers|gshadow|master\.passwd|krb5\.keytab)/,
  /[\\/]proc[\\/](?:self|\d{1,7}|\*|<?pid>?)[\\/](?:environ|mem|maps|cmdline)/,
  /(?:^|[\\/])(?:mcp|claude_desktop_config|mcp_config|mcp_settings|secrets?|credentials?|service[-_]account|application_default_credentials)\.(?:json|ya?ml|toml|env|ini)$/,
  /(?:^|[\\/])(?:wallet\.dat|login data|cookies\.sqlite|logins\.json|key[34]\.db|ntds\.dit|credentials\.db|keychain-db|kubeconfig|authorized_keys)$/,
  /[\\/]library[\\/]keychains/,
  /[\\/](?:google-chrome|firefox|\.mozilla|user data)[\\/]/,
  /[\\/]config[\\/](?:sam|system|security)$/,
  /^(?!https?:)[a-z][a-z0-9+.-]{1,20}:\/\/[\w./-]{0,80}(?:secret|credential|password|passwd|private|token|keychain|internal|confidential)/,
]
const PUBLIC_KEY = /\.pub$/

/**
 * Returns the class of a chunk that is not a word: an address, or a file that contains credentials. A chunk is the text
 * between two spaces.
 */
export function classifyChunk(chunk: string): readonly TokenClass[] | undefined {
  if (chunk.length > MAX_CHUNK || chunk.length < 4) return undefined
  if (PAYMENT.test(chunk)) return ['payaddress']
  if (!/[@/\\.]/.test(chunk)) return undefined
  if (!PUBLIC_KEY.test(chunk) && SECRET_FILES.some(pattern => pattern.test(chunk))) return ['secretfile']
  if (WEB.test(chunk)) return ['url']
  if (RESOURCE.test(chunk)) return ['resource']
  if (EMAIL.test(chunk)) return ['email']
  return undefined
}
