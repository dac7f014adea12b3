import type { Subject } from './queries.ts'

const BY_PREFIX: readonly (readonly [prefix: string, subjects: readonly Subject[]])[] = [
  ['approval.', ['approvals', 'overview', 'activity']],
  ['tool.', ['tools', 'toolsets', 'review', 'overview', 'servers', 'welcome']],
  ['server.', ['servers', 'overview', 'doctor', 'welcome']],
  ['alert.', ['overview', 'review']],
  ['call.', ['activity', 'overview', 'sessions', 'welcome']],
  ['session.', ['sessions', 'overview']],
]

/**
 * Returns the subjects whose data an event makes stale.
 *
 * @example
 * staleSubjects('server.down') // servers, overview, doctor, welcome
 */
export function staleSubjects(type: string): readonly Subject[] {
  return BY_PREFIX.find(([prefix]) => type.startsWith(prefix))?.[1] ?? []
}
