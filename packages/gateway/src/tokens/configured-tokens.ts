import type { AgentTokenConfig } from '../config/config.ts'
import type { Principal } from '../scope/scope.ts'
import { hashToken } from './token-format.ts'

/** The agents in the config's `agent_tokens`: their scopes by name, and their secrets by hash. */
export interface ConfiguredTokens {
  findByHash(hash: string): Principal | undefined
  /**
   * Replaces the token's scope with the one in the config, if the config names this agent. If both have an expiry, the
   * earlier one counts.
   */
  applyScope(principal: Principal): Principal
  replace(entries: readonly AgentTokenConfig[]): void
}

export function createConfiguredTokens(entries: readonly AgentTokenConfig[], key: Buffer): ConfiguredTokens {
  const byName = new Map<string, AgentTokenConfig>()
  const byHash = new Map<string, Principal>()

  function replace(next: readonly AgentTokenConfig[]): void {
    byName.clear()
    byHash.clear()
    for (const entry of next) {
      byName.set(entry.name, entry)
      if (entry.token === undefined) continue
      const hash = hashToken(entry.token, key)
      byHash.set(hash, toPrincipal(entry, hash))
    }
  }

  replace(entries)
  return {
    findByHash: hash => byHash.get(hash),
    applyScope(principal) {
      const entry = principal.kind === 'agent' ? byName.get(principal.name) : undefined
      if (entry === undefined) return principal
      const expiresAt = earlier(principal.expiresAt, entry.expiresAt)
      return { ...principal, scope: entry.scope, ...(expiresAt !== undefined && { expiresAt }) }
    },
    replace,
  }
}

function toPrincipal({ name, scope, expiresAt }: AgentTokenConfig, hash: string): Principal {
  const expiry = expiresAt === undefined ? {} : { expiresAt }
  return { id: `agent:${name}`, name, kind: 'agent', scope, credential: hash, ...expiry }
}

function earlier(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)
}
