import { LIMITS } from '../admission/limits.ts'
import type { Limits, ServerConfig } from '../config/config.ts'
import type { Channel } from './channel/channel.ts'
import { HttpChannel } from './http/http-channel.ts'
import type { Authority } from './http/refused-token.ts'
import { createSseChannel } from './http/sse-channel.ts'
import { createStdioChannel } from './stdio/stdio-channel.ts'

/** For streams that belong to no call, and for what we say apart from calls. */
const BESIDES = 8

/** The channel a server's configuration asks for. */
export function createChannel(
  { transport, concurrency }: ServerConfig,
  limits: Limits,
  authority?: Authority,
): Channel {
  const bounds = {
    messageBytes: limits.resultBytes,
    bodyBytes: limits.bodyBytes,
    connections: concurrency + BESIDES,
    // Who waits for a person has left the gate, but not the connection.
    resting: LIMITS.questions.ofServer.count,
  }
  switch (transport.kind) {
    case 'stdio':
      return createStdioChannel(transport, bounds)
    case 'http':
      return new HttpChannel({ ...transport, authority }, bounds)
    case 'sse':
      return createSseChannel(transport, bounds)
  }
}
