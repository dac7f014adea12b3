import { listDefinitions, TOOLS } from '../catalog/list-definitions.ts'
import type { Limits, ServerConfig } from '../config/config.ts'
import type { Channel } from '../upstream/channel.ts'
import { createChannel } from '../upstream/create-channel.ts'
import { UpstreamServer } from '../upstream/upstream-server.ts'

/** What became of a server that was started to see whether it starts. */
export interface Probe {
  readonly server: string
  readonly tools: number
  /** Absent: it listed its tools. */
  readonly failure?: string
  /** What it wrote to its standard error last. */
  readonly stderr: readonly string[]
}

/** Starts a server, or connects to it, and asks for its tools. It is stopped whatever happens; nothing is written down. */
export async function probeServer(config: ServerConfig, limits: Limits): Promise<Probe> {
  const channels: Channel[] = []
  const server = new UpstreamServer(
    { ...config, lazy: true },
    {
      createChannel: settings => {
        const channel = createChannel(settings, limits)
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
    const stderr = channels.flatMap(channel => channel.stderr ?? [])
    if (tools !== undefined) return { server: config.name, tools: tools.length, stderr }
    const failure = server.lastFailure?.detail ?? 'it did not list its tools'
    return { server: config.name, tools: 0, failure, stderr }
  } finally {
    await server.stop()
  }
}
