import type {
  OAuthClientMetadata,
  OAuthClientProvider,
  StoredOAuthClientInformation,
  StoredOAuthTokens,
} from '@modelcontextprotocol/client'
import type { OAuthSettings } from '../../config/schema/oauth-config.ts'
import type { CredentialBox } from './credential-box.ts'

interface ProviderDeps {
  readonly box: CredentialBox
  readonly settings: OAuthSettings
  readonly redirectUrl: string
}

/**
 * Creates the storage for the SDK's OAuth flow when the flow runs in the background. In that mode a person cannot sign
 * in, so a sign-in that is in progress is left alone.
 */
export function createProvider({ box, settings, redirectUrl }: ProviderDeps): OAuthClientProvider {
  const isInteractive = settings.grant === 'authorization_code'
  const clientMetadata: OAuthClientMetadata = {
    client_name: 'Hintgate',
    redirect_uris: isInteractive ? [redirectUrl] : [],
    grant_types: isInteractive ? ['authorization_code', 'refresh_token'] : ['client_credentials'],
    ...(isInteractive ? { response_types: ['code'] } : {}),
    ...(settings.scope === undefined ? {} : { scope: settings.scope }),
  }
  const given = givenClient(settings)
  return {
    redirectUrl: isInteractive ? redirectUrl : undefined,
    clientMetadata,
    ...(settings.clientMetadataUrl === undefined ? {} : { clientMetadataUrl: settings.clientMetadataUrl }),
    clientInformation: () => given ?? box.known.client,
    ...(given === undefined ? { saveClientInformation: client => box.change({ client }) } : {}),
    tokens: () => box.known.tokens,
    saveTokens: (tokens: StoredOAuthTokens) => box.change({ tokens }),
    redirectToAuthorization: () => {},
    saveCodeVerifier: () => {},
    codeVerifier: () => '',
    async invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') await box.change({ client: undefined, tokens: undefined })
      else if (scope === 'tokens') await box.change({ tokens: undefined })
    },
    ...(isInteractive
      ? {}
      : {
          prepareTokenRequest: (scope?: string) =>
            new URLSearchParams({
              grant_type: 'client_credentials',
              ...(scope === undefined ? {} : { scope }),
            }),
        }),
  }
}

function givenClient({
  clientId,
  clientSecret,
  issuer,
}: OAuthSettings): StoredOAuthClientInformation | undefined {
  if (clientId === undefined) return undefined
  return {
    client_id: clientId,
    ...(clientSecret === undefined ? {} : { client_secret: clientSecret }),
    ...(issuer === undefined ? {} : { issuer }),
  }
}

/**
 * Creates the storage for the SDK's OAuth flow when a person signs in. It keeps what the second half of the sign-in
 * needs.
 */
export function createLoginProvider(
  deps: ProviderDeps,
  login: { readonly state: string; onRedirect(url: URL): void },
): OAuthClientProvider {
  const { box } = deps
  const keep = async (change: object): Promise<void> => {
    const { login: begun } = box.known
    if (begun !== undefined) await box.change({ login: { ...begun, ...change } })
  }
  return {
    ...createProvider(deps),
    state: () => login.state,
    redirectToAuthorization: url => login.onRedirect(url),
    saveCodeVerifier: verifier => keep({ verifier }),
    codeVerifier: () => box.known.login?.verifier ?? '',
    saveDiscoveryState: discovery => keep({ discovery }),
    discoveryState: () => box.known.login?.discovery,
  }
}
