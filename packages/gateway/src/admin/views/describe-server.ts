import { measureCoverage } from '../../catalog/coverage.ts'
import type { ServerConfig } from '../../config/config.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import { maskEntry, showWay } from '../config/mask-entry.ts'
import type { Server } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'

/** As the config file has it, and what stands for that. */
interface Written {
  readonly entry: Json | undefined
  readonly etag: string
}

/** How a server is, without any of its secrets. */
export function describeServer(config: ServerConfig, { entry, etag }: Written, deps: AdminDeps): Server {
  const { catalog } = deps
  const { name, trust, enabled, transport } = config
  const running = deps.servers().find(server => server.name === name)
  const tools = catalog.tools(name)
  return {
    name,
    state: running === undefined ? 'disabled' : running.state,
    ...describeHandshake(running),
    transport: transport.kind,
    signsIn: transport.kind === 'http' && transport.oauth?.grant === 'authorization_code',
    ...describeWay(entry),
    trust,
    enabled,
    tools: tools.length,
    held: catalog.held(name).length,
    ...(running?.lastFailure === undefined
      ? {}
      : { lastError: String(maskEntry(running.lastFailure.detail)) }),
    stderr: deps.stderrOf(name).map(line => String(maskEntry(line))),
    breaker: describeBreaker(running),
    queue: running === undefined ? { running: 0, waiting: 0 } : { ...running.load },
    coverage: { ...measureCoverage(tools.map(({ assessment }) => assessment)) },
    etag,
  }
}

function describeHandshake(
  running: UpstreamServer | undefined,
): Pick<Server, 'era' | 'protocolVersion' | 'info'> {
  const handshake = running?.handshake
  if (handshake === undefined) return {}
  const { era, protocolVersion, serverInfo } = handshake
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)
  const said = isJsonObject(serverInfo) ? serverInfo : {}
  const [name, version] = [text(said.name), text(said.version)]
  return {
    era,
    protocolVersion,
    info: { ...(name === undefined ? {} : { name }), ...(version === undefined ? {} : { version }) },
  }
}

/** As it is written: what `${env:…}` and `${file:…}` stand for is for the server alone. */
function describeWay(entry: Json = {}): Pick<Server, 'command' | 'url'> {
  const way = showWay(entry)
  if (way === undefined) return {}
  return entry.command === undefined ? { url: way } : { command: way }
}

function describeBreaker(running: UpstreamServer | undefined): Server['breaker'] {
  const refusal = running?.refusal
  return refusal === undefined
    ? { isOpen: false }
    : { isOpen: true, reason: String(maskEntry(refusal.detail)) }
}
