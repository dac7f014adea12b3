import { HintgateError } from '../base/errors.ts'
import type { ConfigEdit } from '../config/edit/edit-config.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Client, ClientScope } from './client.ts'
import { guard, readClientText } from './client-text.ts'
import { listEntries } from './document.ts'
import { importAgents } from './import-agents.ts'
import { type OwnConfig, serversOf } from './own-config.ts'
import { secretAt, secretPlace } from './own-secrets.ts'
import type { Place } from './place.ts'
import { type ImportPlan, planImport, type Source } from './plan-import.ts'
import type { Secret } from './translate-server.ts'

export interface ConfigImport extends ImportPlan {
  readonly sources: Sources
  readonly agents: readonly string[]
  readonly edits: readonly ConfigEdit[]
  readonly secrets: readonly Secret[]
}

export const ALL_SCOPES: readonly ClientScope[] = ['user', 'project', 'local']

/** What an import would do to our config. */
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

/** An entry that leads back to us: calls would go in circles. */
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
  /** Files that are there and cannot be used. */
  readonly problems: readonly HintgateError[]
}

/** The files of clients that name servers. One that cannot be read does not keep us from the others. */
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
