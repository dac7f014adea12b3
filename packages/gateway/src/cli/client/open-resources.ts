import { homedir } from 'node:os'
import type { Path } from '../../base/errors/problem.ts'
import { HintgateError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import { type LoadedConfig, loadConfig } from '../../config/load-config.ts'
import { loadRules } from '../../config/load-rules.ts'
import { Sources } from '../../config/sources.ts'
import type { Rules } from '../../policy/rules.ts'
import type { LocalCredential, Principal, Scope } from '../../scope/scope.ts'
import { openStore } from '../../store/open/open-store.ts'
import type { Store } from '../../store/store.ts'
import { loadSecretKey } from '../../tokens/secret-key.ts'
import { createTokens, type Tokens } from '../../tokens/tokens.ts'
import type { PlaceFlags } from '../terminal/context.ts'

export interface OpenFlags extends PlaceFlags {
  readonly listen?: string
  readonly behindProxy?: boolean
}

export interface GatewayResources {
  readonly loaded: Loaded
  /** Reads the config and its policies again, and records the files that were read. */
  readonly load: (sources?: Sources) => Promise<Loaded>
  readonly sources: Sources
  readonly store: Store
  readonly tokens: Tokens
  /** The key from which all other secrets are derived. */
  readonly key: Buffer
}

interface Loaded extends LoadedConfig {
  readonly rules: Rules
}

/** Opens the config, the store and the tokens in this process. The caller closes the store. */
export async function openResources(
  flags: OpenFlags,
  skip?: (path: Path) => boolean,
): Promise<GatewayResources> {
  const places = { env: process.env, cwd: process.cwd(), homeDir: homedir(), flags, skip }
  const load = async (sources?: Sources, path = flags.config): Promise<Loaded> => {
    const config = loadConfig({ ...places, path, sources })
    sources?.note(config.config.policies)
    return { ...config, rules: await loadRules(config) }
  }
  const sources = new Sources()
  const loaded = await load(sources)
  const store = await openStore(loaded.config.store)
  try {
    const key = loadSecretKey(loaded.home)
    const { agentTokens, oauth } = loaded.config
    const tell = (error: unknown): void => void process.stderr.write(`hintgate: ${String(error)}\n`)
    const tokens = createTokens({ store, key, agentTokens, oauth, checkEveryMs: 10, onError: tell })
    // A reload always reads the same file. If that file is missing, no other config file is used instead.
    return { loaded, load: next => load(next, loaded.path), sources, store, tokens, key }
  } catch (error) {
    await store.close()
    throw error
  }
}

const EVERYTHING: Scope = {
  permissions: ['retrieve_tools', 'call_tool_read', 'call_tool_write', 'call_tool_destructive'],
  servers: ['*'],
}

/**
 * Finds the principal of a local command. The user owns the config and the store, so an agent's name is enough to act
 * as that agent. The agent's scope applies, and a revoked or expired token is refused.
 */
export async function findLocalPrincipal(
  agent: string | undefined,
  command: LocalCredential,
  { config, store }: { readonly config: Pick<Config, 'agentTokens'>; readonly store: Pick<Store, 'tokens'> },
): Promise<Principal> {
  if (agent === undefined)
    return { id: `person:${command}`, name: command, kind: 'person', scope: EVERYTHING, credential: command }
  const configured = config.agentTokens.find(token => token.name === agent)
  const stored = await store.tokens.findByName(agent)
  // A token in the config cannot be revoked. It stays valid as long as the config contains it.
  const isRevoked = stored?.revokedAt !== undefined && configured?.token === undefined
  const scope = isRevoked ? undefined : (configured?.scope ?? stored?.scope)
  if (scope === undefined) throw new HintgateError('token_unknown', { name: agent })
  const expiresAt = configured?.expiresAt ?? stored?.expiresAt
  if (expiresAt !== undefined && expiresAt <= Date.now())
    throw new HintgateError('token_expired', { name: agent, at: new Date(expiresAt).toISOString() })
  const principal: Principal = {
    id: `agent:${agent}`,
    name: agent,
    kind: 'agent',
    scope,
    credential: command,
  }
  return expiresAt === undefined ? principal : { ...principal, expiresAt }
}
