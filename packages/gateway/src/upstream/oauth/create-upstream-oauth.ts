import type { Config, ServerConfig } from '../../config/config.ts'
import type { SecretStore } from '../../store/store.ts'
import { UpstreamOAuth } from './upstream-oauth.ts'

/** Where a browser comes back to after somebody signed in. */
export const CALLBACK_PATH = '/oauth/callback'

interface Around {
  readonly config: Config
  readonly secrets: SecretStore
  readonly key: Buffer
}

/** The OAuth client for a server, where its config asks for one. */
export function createUpstreamOAuth(
  { name, transport }: ServerConfig,
  { config, secrets, key }: Around,
): UpstreamOAuth | undefined {
  if (transport.kind !== 'http' || transport.oauth === undefined) return undefined
  const redirectUrl = `${config.oauth?.resource ?? addressOf(config)}${CALLBACK_PATH}`
  return new UpstreamOAuth(
    { name, url: transport.url, settings: transport.oauth },
    { secrets, key, redirectUrl, now: Date.now },
  )
}

function addressOf({ listen: { host, port }, tls }: Config): string {
  return `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`
}
