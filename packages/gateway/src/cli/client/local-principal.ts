import { HintgateError } from '../../base/errors.ts'
import type { Config } from '../../config/config.ts'
import type { LocalDoor, Principal, Scope } from '../../scope/scope.ts'
import type { Store } from '../../store/store.ts'

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
  door: LocalDoor,
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
