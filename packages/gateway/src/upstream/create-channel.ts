import { LIMITS } from '../admission/limits.ts'
import type { Limits, ServerConfig } from '../config/config.ts'
import type { Channel } from './channel/channel.ts'
import { HttpChannel } from './http/http-channel.ts'
import type { Authority } from './http/refused-token.ts'
import { createSseChannel } from './http/sse-channel.ts'
import { OpenApiChannel } from './openapi/openapi-channel.ts'
import { createStdioChannel } from './stdio/stdio-channel.ts'

/** Additional connections, for streams that belong to no call and for one-way messages. */
const EXTRA_CONNECTIONS = 8

/** Creates the channel that a server's config asks for. */
export function createChannel(
  { name, transport, concurrency }: ServerConfig,
  limits: Limits,
  authority?: Authority,
): Channel {
  const bounds = {
    messageBytes: limits.resultBytes,
    bodyBytes: limits.bodyBytes,
    connections: concurrency + EXTRA_CONNECTIONS,
    // A request that waits for a person releases its slot but keeps its connection.
    questionConnections: LIMITS.questions.ofServer.count,
  }
  switch (transport.kind) {
    case 'stdio':
      return createStdioChannel(transport, bounds)
    case 'http':
      return new HttpChannel({ ...transport, authority }, bounds)
    case 'sse':
      return createSseChannel(transport, bounds)
    case 'openapi':
      return new OpenApiChannel(name, transport, bounds)
  }
}
