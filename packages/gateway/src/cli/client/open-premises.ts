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

export interface Premises {
  readonly loaded: Loaded
  /** Reads the config and its policies anew, and notes before what they hold. */
  readonly load: (sources?: Sources) => Promise<Loaded>
  readonly sources: Sources
  readonly store: Store
  readonly tokens: Tokens
  /** Of which all other secrets of ours are made. */
  readonly key: Buffer
}

interface Loaded extends LoadedConfig {
  readonly rules: Rules
}

/** Opens the config, the store and the tokens in this process; whoever asked closes the store. */
export async function openPremises(flags: OpenFlags, skip?: (path: Path) => boolean): Promise<Premises> {
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
    // The file that was found stays the one that counts: while it is gone, none of the other usual places takes over.
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
 * Whoever starts this process owns the config and the store, so a name is enough; naming an agent narrows the scope, and
 * what ended the agent's token ends this, too. `door` says by which command the person came in.
 */
export async function findLocalPrincipal(
  agent: string | undefined,
  door: LocalCredential,
  { config, store }: { readonly config: Pick<Config, 'agentTokens'>; readonly store: Pick<Store, 'tokens'> },
): Promise<Principal> {
  if (agent === undefined)
    return { id: `person:${door}`, name: door, kind: 'person', scope: EVERYTHING, credential: door }
  const configured = config.agentTokens.find(token => token.name === agent)
  const stored = await store.tokens.findByName(agent)
  // A secret that is written in the config ends with the config.
  const isRevoked = stored?.revokedAt !== undefined && configured?.token === undefined
  const scope = isRevoked ? undefined : (configured?.scope ?? stored?.scope)
  if (scope === undefined) throw new HintgateError('token_unknown', { name: agent })
  const expiresAt = configured?.expiresAt ?? stored?.expiresAt
  if (expiresAt !== undefined && expiresAt <= Date.now())
    throw new HintgateError('token_expired', { name: agent, at: new Date(expiresAt).toISOString() })
  const principal: Principal = { id: `agent:${agent}`, name: agent, kind: 'agent', scope, credential: door }
  return expiresAt === undefined ? principal : { ...principal, expiresAt }
}
