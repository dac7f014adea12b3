import { HintgateError } from '../errors.ts'
import type { Principal, Scope } from '../tokens/scope.ts'
import type { Premises } from './open-premises.ts'

const EVERYTHING: Scope = {
  permissions: ['retrieve_tools', 'call_tool_read', 'call_tool_write', 'call_tool_destructive'],
  servers: ['*'],
}

/**
 * Whoever starts this process owns the config and the store, so a name is enough; naming an agent narrows the scope.
 * `door` says by which command the person came in.
 */
export async function findLocalPrincipal(
  agent: string | undefined,
  door: 'stdio' | 'cli',
  { loaded, store }: Pick<Premises, 'loaded' | 'store'>,
): Promise<Principal> {
  if (agent === undefined)
    return { id: `person:${door}`, name: door, kind: 'person', scope: EVERYTHING, credential: door }
  const configured = loaded.config.agentTokens.find(token => token.name === agent)
  const stored = await store.tokens.findByName(agent)
  const scope = configured?.scope ?? (stored?.revokedAt === undefined ? stored?.scope : undefined)
  if (scope === undefined) throw new HintgateError('token_unknown', { name: agent })
  return { id: `agent:${agent}`, name: agent, kind: 'agent', scope, credential: door }
}
