import { HintgateError } from '../base/errors.ts'
import type { ConfigEdit } from '../config/edit/edit-config.ts'
import { holdsReference } from '../detect/secrets/split-secrets.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { guard, readClientText } from './client-file.ts'
import type { Client, ClientScope } from './clients.ts'
import { listEntries, readValue } from './document.ts'
import { type OwnConfig, secretAt, secretPlace, serversOf } from './own-config.ts'
import type { Place } from './place.ts'
import { type ImportPlan, planImport, type Source } from './plan-import.ts'
import type { Secret, TranslateContext } from './translate-server.ts'

export interface ConfigImport extends ImportPlan {
  readonly sources: Sources
  readonly agents: readonly string[]
  readonly edits: readonly ConfigEdit[]
  readonly secrets: readonly Secret[]
}

export const ALL_SCOPES: readonly ClientScope[] = ['user', 'project', 'local']

export function planConfigImport(
  clients: readonly Client[],
  {
    own,
    place,
    scopes,
  }: { readonly own: OwnConfig; readonly place: Place; readonly scopes: readonly ClientScope[] },
): ConfigImport {
  const sources = findSources(clients, place, scopes)
  const secretFile = secretPlace(own.home, place)
  const plan = planImport(sources.found, {
    env: place.env,
    homeDir: place.homeDir,
    project: place.cwd,
    existing: serversOf(own),
    secretFile,
    secretAt: secretAt(own, place),
    isGateway: entry => isGateway(entry, own),
  })
  const { agents, skipped } = importAgents(clients, place, { taken: own.value.agent_tokens, secretFile })
  const servers = plan.servers.map(({ name, server }) => ({ path: ['mcpServers', name], value: server }))
  return {
    ...plan,
    skipped: [...plan.skipped, ...skipped],
    sources,
    agents: agents.map(({ name }) => name),
    edits: [...servers, ...agents.map(({ name, entry }) => ({ path: ['agent_tokens', name], value: entry }))],
    secrets: [...plan.servers.flatMap(({ secrets }) => secrets), ...agents.flatMap(({ secrets }) => secrets)],
  }
}

/** True if an entry is this gateway. Importing it would make the gateway call itself. */
function isGateway(entry: Json, { value }: OwnConfig): boolean {
  const listen = typeof value.listen === 'string' ? value.listen : '127.0.0.1:4428'
  const port = /:(\d+)$/.exec(listen)?.[1] ?? '4428'
  const address = [entry.url, entry.serverUrl, entry.httpUrl].find(held => typeof held === 'string')
  if (address !== undefined)
    return new RegExp(`^https?://(?:127\\.0\\.0\\.1|localhost|\\[::1\\]):${port}/mcp(?:/|$)`).test(address)
  const words = [entry.command, ...(Array.isArray(entry.args) ? entry.args : [])].map(String)
  const isOurs = words.some(word =>
    /(?:^|[/\\])hintgate(?:\.js|\.cmd)?$|^@hintgate\/gateway(?:@|$)/.test(word),
  )
  return isOurs && words.includes('stdio') && isJsonObject(entry)
}

interface Sources {
  readonly found: readonly Source[]
  /** The problems of files that exist but cannot be read. */
  readonly problems: readonly HintgateError[]
}

/** Finds the client files that list servers. Unreadable files become problems. */
export function findSources(
  clients: readonly Client[],
  place: Place,
  scopes: readonly ClientScope[],
): Sources {
  const found: Source[] = []
  const problems: HintgateError[] = []
  for (const client of clients)
    for (const file of client.files(place)) {
      if (!scopes.includes(file.scope)) continue
      try {
        const { path, text } = readClientText(client, file)
        const block = { path: file.block, shape: client.shape }
        const entries = guard(path, () => listEntries(client, text, block))
        if (entries.length > 0) found.push({ client, file, entries })
      } catch (error) {
        if (!(error instanceof HintgateError)) throw error
        if (!problems.some(({ message }) => message === error.message)) problems.push(error)
      }
    }
  return { found, problems }
}

/** An agent from MCPProxy's config. It has the same shape in Hintgate's config. */
interface ImportedAgent {
  readonly name: string
  readonly entry: Json
  readonly secrets: readonly Secret[]
}

interface AgentContext {
  /** `agent_tokens` in Hintgate's config. */
  readonly taken: unknown
  readonly secretFile: TranslateContext['secretFile']
}

const KEPT = ['permissions', 'servers', 'tools', 'expires'] as const

/** Imports the `agent_tokens` of clients, except agents that Hintgate's config already has. */
function importAgents(clients: readonly Client[], place: Place, { taken, secretFile }: AgentContext) {
  const known = new Set(isJsonObject(taken) ? Object.keys(taken) : [])
  const found = clients
    .filter(({ shape }) => shape === 'array')
    .flatMap(client => client.files(place).flatMap(file => agentsOf(client, file.path)))
    .filter(({ name }) => !known.has(name))
  return {
    agents: found.filter(agent => !refers(agent)).map(agent => toAgent(agent, secretFile)),
    skipped: found
      .filter(refers)
      .map(({ client, file, name }) => ({ client, file, name, why, isThere: false })),
  }
}

const why = 'its scope contains a reference, which has a different meaning in this config'

function refers({ agent }: FoundAgent): boolean {
  return holdsReference(JSON.stringify(KEPT.map(key => agent[key])))
}

interface FoundAgent {
  readonly client: string
  readonly file: string
  readonly name: string
  readonly agent: Json
}

function agentsOf(client: Client, path: string): readonly FoundAgent[] {
  const from = { client: client.id, file: path }
  try {
    const { agent_tokens: agents } = readValue(client, readClientText(client, { path }).text)
    const members = isJsonObject(agents) ? Object.entries(agents) : []
    return members.flatMap(([name, agent]) => (isJsonObject(agent) ? [{ ...from, name, agent }] : []))
  } catch (error) {
    // `findSources` has already reported the problem.
    if (error instanceof HintgateError) return []
    throw error
  }
}

function toAgent({ name, agent }: FoundAgent, secretFile: TranslateContext['secretFile']): ImportedAgent {
  const kept = KEPT.flatMap(key => (agent[key] === undefined ? [] : [[key, agent[key]] as const]))
  const entry = { permissions: [], servers: [], ...Object.fromEntries(kept) }
  if (typeof agent.token !== 'string' || agent.token === '') return { name, entry, secrets: [] }
  if (/^\$\{env:[A-Za-z_]\w*\}$/.test(agent.token))
    return { name, entry: { ...entry, token: agent.token }, secrets: [] }
  // Agents' secrets have a separate folder, because a server can have the same name as an agent.
  const { file, reference } = secretFile(`agents/${name.replaceAll(/[^\w-]+/g, '-')}`)
  return { name, entry: { ...entry, token: reference }, secrets: [{ file, reference, value: agent.token }] }
}
