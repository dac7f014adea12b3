import type { ServerConfig, TransportConfig } from '../../config/config.ts'
import type { Attempt } from '../attempt.ts'
import type { Ask, AskAnswer } from '../connection/upstream-request.ts'
import { createChannel } from '../create-channel.ts'
import { UpstreamServer } from '../upstream-server.ts'

const MIB = 1024 * 1024
type Limits = Parameters<typeof createChannel>[1]
const LIMITS = { bodyBytes: 4 * MIB, resultBytes: 32 * MIB } as Limits

/** Connects to a server as the gateway does, with the legacy handshake. */
export function reach(
  transport: TransportConfig,
  settings: Partial<ServerConfig> = {},
  limits: Partial<Limits> = {},
): UpstreamServer {
  const config = {
    name: 's',
    transport,
    concurrency: 64,
    queue: 256,
    isolation: 'shared',
    lazy: true,
    roots: [],
    timeoutMs: 30_000,
    startTimeoutMs: 10_000,
    retry: { attempts: 1, delayMs: 10, maxDelayMs: 100, budget: 10 },
    ...settings,
  } as unknown as ServerConfig
  return new UpstreamServer(config, {
    createChannel: given => createChannel(given, { ...LIMITS, ...limits }),
    clientInfo: { name: 'g', version: '1' },
    rememberedEra: async () => 'legacy',
    rememberEra: async () => {},
  })
}

interface Calling {
  readonly who?: string
  readonly timeoutMs?: number
  readonly args?: Readonly<Record<string, unknown>>
  readonly ask?: (ask: Ask) => Promise<AskAnswer>
  readonly onNotification?: () => void
}

/** Calls a tool. The client answers every question with an empty result. */
export function callTool(server: UpstreamServer, name: string, calling: Calling = {}): Attempt {
  const { who = 'ann', timeoutMs = 30_000, args = {}, ask = async () => ({ result: {} }) } = calling
  const notify = (): void => calling.onNotification?.()
  const caller = { principal: { id: who }, session: who }
  return server.send({
    method: 'tools/call',
    params: { name, ...args },
    envelope: { capabilities: {} },
    timeoutMs,
    session: who,
    client: { caller, notify, ask },
  })
}
