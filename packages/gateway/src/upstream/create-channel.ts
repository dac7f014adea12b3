import type { Limits, ServerConfig } from '../config/config.ts'
import type { Channel } from './channel.ts'
import { type Authority, HttpChannel } from './http-channel.ts'
import { createSseChannel } from './sse-channel.ts'
import { createStdioChannel } from './stdio-channel.ts'

/** The channel a server's configuration asks for. */
export function createChannel(
  { transport, concurrency }: ServerConfig,
  limits: Limits,
  authority?: Authority,
): Channel {
  const bounds = { messageBytes: limits.resultBytes, connections: concurrency + 8 }
  switch (transport.kind) {
    case 'stdio':
      return createStdioChannel(transport, bounds)
    case 'http':
      return new HttpChannel({ ...transport, authority }, bounds)
    case 'sse':
      return createSseChannel(transport, bounds)
  }
}
