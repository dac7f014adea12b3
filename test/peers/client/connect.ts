// A client of either era that answers what servers ask and authorizes itself when it must.
import type { ElicitRequestFormParams, OAuthClientProvider } from '@modelcontextprotocol/client'
import {
  Client,
  ClientCredentialsProvider,
  PrivateKeyJwtProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client'
import { example } from './examples.ts'
import type { Registered } from './oauth.ts'
import { UnattendedProvider } from './oauth.ts'

/** A server that goes on refusing what it has just granted is not asked for ever. */
const authorizationAttempts = 2

export interface Context extends Partial<Registered> {
  private_key_pem?: string
  signing_algorithm?: string
  toolCalls?: { name: string; arguments: Record<string, unknown> }[]
}

export interface Connection {
  client: Client
  /** Runs `operation`, and runs it again after an authorization that it turned out to need. */
  attempt: <T>(operation: () => Promise<T>) => Promise<T>
  close: () => Promise<void>
}

export interface Destination {
  url: URL
  /** Whether to ask for the modern era first. */
  modern: boolean
  scenario: string
  context: Context
}

export async function connect({ url, modern, scenario, context }: Destination): Promise<Connection> {
  const authProvider = providerFor(scenario, context)
  let transport = open()

  function open(): StreamableHTTPClientTransport {
    // For a gateway that wants a token of its own; what the provider obtains takes precedence.
    const token = process.env.GATEWAY_TOKEN
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return new StreamableHTTPClientTransport(url, { authProvider, requestInit: { headers } })
  }

  async function attempt<T>(operation: () => Promise<T>): Promise<T> {
    for (let round = 1; ; round++) {
      try {
        return await operation()
      } catch (error) {
        const canAuthorize = authProvider instanceof UnattendedProvider && authProvider.answer !== undefined
        if (!UnauthorizedError.isInstance(error) || !canAuthorize || round > authorizationAttempts)
          throw error
        const { answer = new URLSearchParams() } = authProvider
        authProvider.answer = undefined
        await transport.finishAuth(answer)
      }
    }
  }

  const client = await attempt(async () => {
    // A transport that failed to connect cannot start again, so each round takes a new one.
    const fresh = createClient(modern)
    transport = open()
    await fresh.connect(transport)
    return fresh
  })
  return {
    client,
    attempt,
    async close() {
      await transport.terminateSession().catch(() => {})
      await client.close()
    },
  }
}

function createClient(modern: boolean): Client {
  const client = new Client(
    { name: 'hintgate-conformance-client', version: '1.0.0' },
    {
      capabilities: { elicitation: { form: { applyDefaults: true } }, sampling: {}, roots: {} },
      versionNegotiation: { mode: modern ? 'auto' : 'legacy' },
    },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => ({
    action: 'accept',
    content: example((params as ElicitRequestFormParams).requestedSchema) as Record<string, string>,
  }))
  client.setRequestHandler('sampling/createMessage', () => ({
    model: 'none',
    role: 'assistant',
    content: { type: 'text', text: 'An answer' },
  }))
  client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///tmp' }] }))
  return client
}

function providerFor(scenario: string, context: Context): OAuthClientProvider {
  const { client_id: clientId, client_secret: clientSecret, private_key_pem: privateKey } = context
  if (scenario === 'auth/client-credentials-basic' && clientId && clientSecret) {
    return new ClientCredentialsProvider({ clientId, clientSecret })
  }
  if (scenario === 'auth/client-credentials-jwt' && clientId && privateKey) {
    return new PrivateKeyJwtProvider({
      clientId,
      privateKey,
      algorithm: context.signing_algorithm ?? 'ES256',
    })
  }
  return new UnattendedProvider(
    clientId && clientSecret
      ? {
          client_id: clientId,
          client_secret: clientSecret,
          ...(context.issuer && { issuer: context.issuer }),
        }
      : undefined,
  )
}
