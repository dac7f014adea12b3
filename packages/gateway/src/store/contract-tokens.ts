import type { StoredToken } from './store.ts'

export function exampleToken(name: string, fields: Partial<StoredToken> = {}): StoredToken {
  const scope = { permissions: ['call_tool_read'], servers: ['crm', 'db-*'], tools: ['crm:get_*'] } as const
  return {
    name,
    kind: 'agent',
    hash: `hash-of-${name}`,
    hint: 'hg_agent_abcd…',
    scope,
    createdAt: 1000,
    ...fields,
  }
}
