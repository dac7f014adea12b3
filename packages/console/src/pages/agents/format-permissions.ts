import type { Agent } from '../../api/client.ts'

type Permission = Agent['permissions'][number]

export const PERMISSIONS: readonly {
  readonly id: Permission
  readonly label: string
  readonly about: string
}[] = [
  { id: 'retrieve_tools', label: 'search', about: 'find tools' },
  { id: 'call_tool_read', label: 'read', about: 'call tools that only read data' },
  { id: 'call_tool_write', label: 'write', about: 'call tools that change data' },
  { id: 'call_tool_destructive', label: 'destructive', about: 'call tools that can destroy data' },
]

/**
 * Formats a token's permissions in one line.
 *
 * @example
 * formatPermissions({ permissions: ['retrieve_tools', 'call_tool_read'] }) // 'search, read'
 */
export function formatPermissions({ permissions }: Pick<Agent, 'permissions'>): string {
  const labels = PERMISSIONS.filter(({ id }) => permissions.includes(id)).map(({ label }) => label)
  return labels.length === 0 ? 'none' : labels.join(', ')
}
