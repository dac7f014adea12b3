import { listDefinitions, TOOLS } from '../catalog/list-definitions.ts'
import type { Limits, ServerConfig } from '../config/config.ts'
import type { Channel } from '../upstream/channel/channel.ts'
import type { Handshake } from '../upstream/connection/upstream-request.ts'
import { createChannel } from '../upstream/create-channel.ts'
import type { Authority } from '../upstream/http/http-channel.ts'
import { UpstreamServer } from '../upstream/upstream-server.ts'

/** What became of a server that was started to see whether it starts. */
export interface Probe {
  readonly server: string
  readonly tools: number
  /** What it listed. */
  readonly definitions: readonly unknown[]
  /** How it speaks; absent when it never said hello. */
  readonly spoken?: { readonly era: Handshake['era']; readonly version: string }
  /** Absent: it listed its tools. */
  readonly failure?: string
  /** It failed because the server does not accept who we are. */
  readonly isRefused?: boolean
  /** What it wrote to its standard error last. */
  readonly stderr: readonly string[]
}

/** Starts a server, or connects to it, and asks for its tools. It is stopped whatever happens; nothing is written down. */
export async function probeServer(
  config: ServerConfig,
  limits: Limits,
  authority?: Authority,
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
      clientInfo: { name: 'hintgate-doctor', version: '0' },
      rememberedEra: async () => undefined,
      rememberEra: async () => {},
    },
  )
  try {
    const tools = await listDefinitions(server, TOOLS)
    // It is tried again in the other era, and then says the same once more.
    const stderr = channels.findLast(channel => (channel.stderr ?? []).length > 0)?.stderr ?? []
    const found = { server: config.name, tools: tools?.length ?? 0, definitions: tools ?? [], stderr }
    const { handshake } = server
    const probe = {
      ...found,
      ...(handshake && { spoken: { era: handshake.era, version: handshake.protocolVersion } }),
    }
    if (tools !== undefined) return probe
    const { kind, detail = 'it did not list its tools' } = server.lastFailure ?? {}
    return { ...probe, failure: detail, isRefused: kind === 'unauthorized' }
  } finally {
    await server.stop()
  }
}
