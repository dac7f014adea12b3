import { HintgateError } from '../base/errors.ts'
import { holdsReference } from '../detect/secrets/split-secrets.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Client } from './client.ts'
import { readClientText } from './client-text.ts'
import { readValue } from './document.ts'
import type { Place } from './place.ts'
import type { ImportPlan } from './plan-import.ts'
import type { Secret, TranslateContext } from './translate-server.ts'

/** What an agent may do, as MCPProxy's config says it; ours says the same. */
interface ImportedAgent {
  readonly name: string
  readonly entry: Json
  readonly secrets: readonly Secret[]
}

interface AgentContext {
  /** `agent_tokens` of our config. */
  readonly taken: unknown
  readonly secretFile: TranslateContext['secretFile']
}

const KEPT = ['permissions', 'servers', 'tools', 'expires'] as const

interface AgentImport {
  readonly agents: readonly ImportedAgent[]
  readonly skipped: ImportPlan['skipped']
}

/** The `agent_tokens` of clients that have some. A name that we have already keeps our scope. */
export function importAgents(
  clients: readonly Client[],
  place: Place,
  { taken, secretFile }: AgentContext,
): AgentImport {
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

const why = 'its scope would be looked up here, not read as it is there'

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
    // Told already where the servers were looked for.
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
  // Apart from what servers keep: one may be called as it likes, also `agent`.
  const { file, reference } = secretFile(`agents/${name.replaceAll(/[^\w-]+/g, '-')}`)
  return { name, entry: { ...entry, token: reference }, secrets: [{ file, reference, value: agent.token }] }
}
