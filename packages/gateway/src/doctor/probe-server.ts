import { listDefinitions, TOOLS } from '../catalog/list-definitions.ts'
import { explainToolless, findToolless, letSpeak } from '../catalog/review/list-waiting.ts'
import type { Desk } from '../catalog/review/review-item.ts'
import type { Limits, ServerConfig } from '../config/config.ts'
import type { Channel } from '../upstream/channel/channel.ts'
import type { Handshake } from '../upstream/connection/upstream-request.ts'
import { createChannel } from '../upstream/create-channel.ts'
import type { Authority } from '../upstream/http/refused-token.ts'
import { UpstreamServer } from '../upstream/upstream-server.ts'
import type { DoctorFinding } from './finding.ts'

export interface Probe {
  readonly server: string
  readonly tools: number
  readonly definitions: readonly unknown[]
  /** The protocol that the server speaks; undefined if the handshake failed. */
  readonly protocol?: { readonly era: Handshake['era']; readonly version: string } | undefined
  /** The reason why the server did not list its tools; undefined if it listed them. */
  readonly failure?: string
  /** True if the server rejected the gateway's credentials. */
  readonly isRefused?: boolean
  readonly stderr: readonly string[]
}

interface Prober {
  readonly authority?: Authority | undefined
  /** The client name that is sent to the server. */
  readonly name?: string
}

/** Starts a server or connects to it, lists its tools, and stops it. Nothing is stored. */
export async function probeServer(
  config: ServerConfig,
  limits: Limits,
  { authority, name = 'hintgate-doctor' }: Prober = {},
): Promise<Probe> {
  const channels: Channel[] = []
  const server = new UpstreamServer(
    { ...config, lazy: true },
    {
      createChannel: settings => {
        const channel = createChannel(settings, limits, authority)
        channels.push(channel)
        return channel
      },
      clientInfo: { name, version: '0' },
      rememberedEra: async () => undefined,
      rememberEra: async () => {},
    },
  )
  try {
    const tools = await listDefinitions(server, TOOLS)
    // The server can be started twice, once for each protocol era. Only the error output of the last attempt is kept.
    const stderr = channels.findLast(channel => (channel.stderr ?? []).length > 0)?.stderr ?? []
    const { handshake } = server
    const protocol = handshake && { era: handshake.era, version: handshake.protocolVersion }
    const probe = {
      server: config.name,
      tools: tools?.length ?? 0,
      definitions: tools ?? [],
      protocol,
      stderr,
    }
    if (tools !== undefined) return probe
    const { kind, detail = NOT_LISTED } = server.lastFailure ?? {}
    return { ...probe, failure: detail, isRefused: kind === 'unauthorized' }
  } finally {
    await server.stop()
  }
}

/** The reason shown for a failure if the server gave none. */
export const NOT_LISTED = 'it did not list its tools'

const STDERR_SHOWN = 5

export function checkServers(
  probes: readonly Probe[],
  servers: readonly ServerConfig[],
): readonly DoctorFinding[] {
  return probes.flatMap(({ server, failure, isRefused, stderr }): readonly DoctorFinding[] => {
    if (failure === undefined) return []
    const said = stderr.slice(-STDERR_SHOWN)
    const transport = servers.find(({ name }) => name === server)?.transport
    const text = [`${server}: ${failure}`, ...said.map(line => `  | ${line}`)].join('\n')
    const fix = isRefused ? credentialFor(server, transport) : reproduce(server, transport)
    return [
      { code: isRefused ? 'server_unauthorized' : 'server_unreachable', level: 'error', server, text, fix },
    ]
  })
}

type Transport = ServerConfig['transport'] | undefined

/**
 * Suggests how to fix rejected credentials. For a server with OAuth, that is a sign-in rather than a secret in a file.
 */
function credentialFor(server: string, transport: Transport): string {
  if (transport?.kind === 'openapi') return `correct "auth" of mcpServers.${server}`
  const oauth = transport?.kind === 'stdio' ? undefined : transport?.oauth
  if (oauth?.grant === 'client_credentials')
    return `correct "clientId" and "clientSecret" in mcpServers.${server}.oauth`
  if (oauth !== undefined) return `sign in with hintgate servers login ${server}`
  const variable = `${server.replaceAll(/\W+/g, '_').toUpperCase()}_TOKEN`
  return `add "headers": { "Authorization": "Bearer \${env:${variable}}" } to mcpServers.${server}, or add "oauth": true and run hintgate servers login ${server}`
}

function reproduce(server: string, transport: Transport): string {
  const look =
    transport?.kind === 'openapi'
      ? `correct the document at "openapi" of mcpServers.${server} as the message says`
      : transport?.kind === 'stdio'
        ? `run the "command" of mcpServers.${server} in a shell and fix what fails`
        : `check the "url" of mcpServers.${server} and that the server is running`
  return `${look}, then run hintgate servers test ${server}`
}

export function checkToolless(
  context: Pick<Desk, 'config' | 'known' | 'items'>,
  probes: readonly Probe[],
): readonly DoctorFinding[] {
  const listing = probes.filter(({ failure, tools }) => failure === undefined && tools === 0)
  const found = findToolless(
    context,
    listing.map(({ server }) => server),
  )
  return found.map(server => ({
    code: 'server_unheard',
    level: 'warning',
    server,
    text: explainToolless(server),
    fix: letSpeak(server),
  }))
}
