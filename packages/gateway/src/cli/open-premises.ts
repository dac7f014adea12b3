import { homedir } from 'node:os'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import type { Path } from '../config/problem.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { loadSecretKey } from '../tokens/secret-key.ts'
import { createTokens, type Tokens } from '../tokens/tokens.ts'
import type { PlaceFlags } from './context.ts'

export interface OpenFlags extends PlaceFlags {
  readonly listen?: string
  readonly behindProxy?: boolean
}

/** What a gateway stands on. */
export interface Premises {
  readonly loaded: LoadedConfig
  /** Reads the config anew. */
  readonly load: () => LoadedConfig
  readonly store: Store
  readonly tokens: Tokens
}

/** Opens the config, the store and the tokens in this process; whoever asked closes the store. */
export async function openPremises(flags: OpenFlags, skip?: (path: Path) => boolean): Promise<Premises> {
  const load = () =>
    loadConfig({ path: flags.config, env: process.env, cwd: process.cwd(), homeDir: homedir(), flags, skip })
  const loaded = load()
  const store = await openStore(loaded.config.store)
  try {
    const key = loadSecretKey(loaded.home)
    const tokens = createTokens({ store, key, agentTokens: loaded.config.agentTokens, checkEveryMs: 10 })
    return { loaded, load, store, tokens }
  } catch (error) {
    await store.close()
    throw error
  }
}
