import type { Principal, Scope } from '../../scope/scope.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { AdminProblem } from '../http/problem.ts'

/** Whoever has a token of this name, to look at things as they would. */
export async function findScope(
  { store, config }: Pick<AdminDeps, 'store' | 'config'>,
  name: string,
): Promise<Principal> {
  const stored = await store.tokens.findByName(name)
  const entry = config().agentTokens.find(one => one.name === name)
  const kind = stored?.kind ?? 'agent'
  const scope = kind === 'agent' ? (entry?.scope ?? stored?.scope) : stored?.scope
  if (scope === undefined || scope.console !== undefined)
    throw new AdminProblem('not_found', `There is no token ${name}.`)
  return { id: `${kind}:${name}`, name, kind, scope, credential: 'console' }
}

/** Somebody who may call everything. */
export const EVERYBODY: Principal = {
  id: 'person:console',
  name: 'console',
  kind: 'person',
  scope: {
    permissions: ['retrieve_tools', 'call_tool_read', 'call_tool_write', 'call_tool_destructive'],
    servers: ['*'],
  } satisfies Scope,
  credential: 'console',
}
