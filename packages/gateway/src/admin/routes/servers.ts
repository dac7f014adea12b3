import { homedir } from 'node:os'
import { join } from 'node:path'
import { displayTitle, type ToolDefinition } from '@hintgate/metadata'
import { measureCoverage } from '../../catalog/coverage.ts'
import { isNamed } from '../../catalog/list-definitions.ts'
import type { ServerConfig } from '../../config/config.ts'
import { checkConfigText } from '../../config/load-config.ts'
import { loadsCode } from '../../config/schema/unsafe-variables.ts'
import { probeServer } from '../../doctor/probe-server.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { ConfigFile, explain, findImported, listImportable } from '../config/config-file.ts'
import { holdsMask, maskEntry, showWay, unmaskEntry } from '../config/mask-entry.ts'
import type { Output, Server, ServerPage } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { type Handlers, requireMatch } from '../http/handler.ts'
import { AdminProblem, orMissing } from '../http/problem.ts'

export function createServerHandlers(deps: AdminDeps) {
  const file = new ConfigFile(deps)
  const show = (config: ServerConfig, written: ReadonlyMap<string, Json>): Server => {
    const entry = written.get(config.name)
    return describeServer(config, { entry, etag: file.etagOf(entry) }, deps)
  }
  const showPage = (name: string): ServerPage => {
    const written = file.servers()
    const entry = maskEntry(written.get(name) ?? {})
    return { ...show(findConfig(deps, name), written), config: isJsonObject(entry) ? { ...entry } : {} }
  }
  const change = async (
    name: string,
    match: string,
    next: (before: Json) => Json | undefined,
  ): Promise<void> => {
    findConfig(deps, name)
    const before = file.servers().get(name) ?? {}
    requireMatch(match, file.etagOf(file.servers().get(name)))
    await file.edit(editsFor(name, before, next(before)))
  }
  return {
    async listServers() {
      const written = file.servers()
      const items = deps.config().servers.map(config => show(config, written))
      return { items, total: items.length }
    },
    getServer: async ({ params: { name } }) => showPage(name),
    listImportable: async () => ({ items: listImportable(deps) }),
    async addServer({ body: { name, config } }) {
      refuseEnvironment(config)
      if (file.servers().has(name)) throw new AdminProblem('name_taken', `A server ${name} already exists.`)
      const imported = findImported(deps, config)
      if (imported === undefined) await file.edit([{ path: ['mcpServers', name], value: config }])
      else await file.adopt(name, imported)
      return showPage(name)
    },
    async updateServer({ params: { name }, body: { config } }, { match }) {
      refuseEnvironment(config)
      await change(name, match, before => unmask(config, before))
      return showPage(name)
    },
    async removeServer({ params: { name } }, { match }) {
      await change(name, match, () => undefined)
      return { name }
    },
    async testServer({ body: { name = 'test', config } }) {
      refuseEnvironment(config)
      const before = file.servers().get(name)
      return testServer({ name, entry: before === undefined ? config : unmask(config, before) }, deps)
    },
    async restartServer({ params: { name } }) {
      const config = findConfig(deps, name)
      if (!deps.restart(name)) throw new AdminProblem('refused', `${name} is disabled in the config.`)
      return show(config, file.servers())
    },
    async signInToServer({ params: { name } }) {
      findConfig(deps, name)
      const url = await deps.signIn(name)
      if (url === undefined) throw new AdminProblem('refused', `${name} has no "oauth" in the config.`)
      return { url }
    },
    async trustServer({ params: { name }, body: { trust } }, { match }) {
      await change(name, match, before => ({ ...before, trust }))
      return showPage(name)
    },
  } satisfies Partial<Handlers>
}

function unmask(sent: unknown, before: unknown): Json {
  const entry = unmaskEntry(sent, before)
  if (isJsonObject(entry) && !holdsMask(entry)) return entry
  throw new AdminProblem(
    'invalid_request',
    "body.config: a mask has no stored value here, or stands for one of the previous server's secrets. Enter the value.",
  )
}

function findConfig({ config }: AdminDeps, name: string): ServerConfig {
  return orMissing(
    config().servers.find(server => server.name === name),
    `There is no server ${name}.`,
  )
}

/** Returns the edits to an entry, key by key, so that comments beside unchanged keys are kept. */
function editsFor(name: string, before: Json, next: Json | undefined) {
  if (next === undefined) return [{ path: ['mcpServers', name], value: undefined }]
  const keys = [...new Set([...Object.keys(before), ...Object.keys(next)])]
  return keys
    .filter(key => JSON.stringify(before[key]) !== JSON.stringify(next[key]))
    .map(key => ({ path: ['mcpServers', name, key], value: next[key] }))
}

/** Refuses variables that make a program load other code, because the request comes from a browser. */
function refuseEnvironment({ env }: Json): void {
  const names = isJsonObject(env) ? Object.keys(env).filter(loadsCode) : []
  const [name] = names
  if (name === undefined) return
  throw new AdminProblem('refused', `${name} cannot be set here. Add it to the config file by hand.`, [
    { path: `body.config.env.${name}`, message: 'this variable makes a program load other code' },
  ])
}

interface Written {
  readonly entry: Json | undefined
  readonly etag: string
}

/** Describes a server's state, without secrets. */
function describeServer(config: ServerConfig, { entry, etag }: Written, deps: AdminDeps): Server {
  const { catalog } = deps
  const { name, trust, enabled, transport } = config
  const running = deps.servers().find(server => server.name === name)
  const { handshake, refusal } = running ?? {}
  const tools = catalog.tools(name)
  return {
    name,
    state: running === undefined ? 'disabled' : running.state,
    era: handshake?.era,
    protocolVersion: handshake?.protocolVersion,
    info: handshake && describeInfo(handshake.serverInfo),
    transport: transport.kind,
    signsIn: transport.kind === 'http' && transport.oauth?.grant === 'authorization_code',
    // The entry is shown as written, because the values of `${env:…}` and `${file:…}` are only for the server.
    command: entry?.command === undefined ? undefined : showWay(entry),
    url: entry === undefined || entry.command !== undefined ? undefined : showWay(entry),
    trust,
    enabled,
    tools: tools.length,
    held: catalog.held(name).length,
    lastError: running?.lastFailure && String(maskEntry(running.lastFailure.detail)),
    stderr: deps.stderrOf(name).map(line => String(maskEntry(line))),
    breaker: { isOpen: refusal !== undefined, reason: refusal && String(maskEntry(refusal.detail)) },
    queue: running === undefined ? { running: 0, waiting: 0 } : { ...running.load },
    coverage: { ...measureCoverage(tools.map(({ assessment }) => assessment)) },
    etag,
  }
}

function describeInfo(serverInfo: unknown): NonNullable<Server['info']> {
  const said = isJsonObject(serverInfo) ? serverInfo : {}
  const [name, version] = [said.name, said.version].map(one => (typeof one === 'string' ? one : undefined))
  return { name, version }
}

/** Maximum duration of a server test. It is short, because a person waits for the result. */
const PATIENCE_MS = 20_000
const SHOWN_TOOLS = 200

/** Starts a server once with the given entry and reports its tools. Nothing is stored. */
async function testServer(
  { name, entry }: { readonly name: string; readonly entry: unknown },
  { place, config }: AdminDeps,
): Promise<Output<'testServer'>> {
  const startedAt = performance.now()
  const text = JSON.stringify({ mcpServers: { [name]: entry } })
  const path = place.path ?? join(place.folder, 'hintgate.json')
  const read = checkConfigText(text, path, { env: process.env, cwd: process.cwd(), homeDir: homedir() })
  const server = read.config?.servers[0]
  const nothing = { problems: [], tools: [], stderr: [] }
  const time = () => ({ durationMs: Math.round(performance.now() - startedAt) })
  if (read.problems.length > 0 || server === undefined) {
    const problems = read.problems.map(problem => ({ ...problem }))
    return {
      ...nothing,
      ok: false,
      error: explain(problems, 'the entry is not a valid server'),
      problems,
      ...time(),
    }
  }
  const hasty = { ...server, startTimeoutMs: Math.min(server.startTimeoutMs, PATIENCE_MS) }
  const probe = await probeServer(hasty, config().limits)
  const { failure, protocol, definitions, stderr } = probe
  return {
    ...nothing,
    ok: failure === undefined,
    error: failure && String(maskEntry(failure)),
    era: protocol?.era,
    protocolVersion: protocol?.version,
    tools: definitions.filter(isNamed).slice(0, SHOWN_TOOLS).map(describeTool),
    stderr: stderr.map(line => String(maskEntry(line))),
    ...time(),
  }
}

function describeTool(definition: ToolDefinition): { name: string; title: string } {
  return { name: definition.name, title: displayTitle(definition) }
}
