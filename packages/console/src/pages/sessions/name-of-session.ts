/**
 * A session without the name of its owner, where that stands beside it.
 *
 * @example
 * nameOfSession('agent:bot/triage', 'agent:bot') // 'triage'
 */
export function nameOfSession(id: string, principal = ''): string {
  const rest = id.startsWith(`${principal}/`) ? id.slice(principal.length + 1) : id
  return rest === '' ? id : rest
}
