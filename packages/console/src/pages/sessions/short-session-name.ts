/**
 * Returns a session's name without its owner, for places that show the owner separately.
 *
 * @example
 * shortSessionName('agent:bot/triage', 'agent:bot') // 'triage'
 */
export function shortSessionName(id: string, principal = ''): string {
  const rest = id.startsWith(`${principal}/`) ? id.slice(principal.length + 1) : id
  return rest === '' ? id : rest
}
