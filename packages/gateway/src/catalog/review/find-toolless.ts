import type { Desk } from './desk.ts'

/**
 * Servers that agents hear nothing of although no tool of theirs waits: they have none, and nothing else of them is
 * approved. Of who was never asked nobody knows; `listing` names those that were asked just now, and have none.
 */
export function findToolless(
  { config, known, items }: Pick<Desk, 'config' | 'known' | 'items'>,
  listing: readonly string[] = [],
): readonly string[] {
  if (!config.quarantine) return []
  const heard = new Set([...known.map(({ server }) => server), ...listing])
  const spoken = items.filter(({ stored, state }) => stored.kind === 'tool' || state === 'approved')
  const settled = new Set(spoken.map(({ stored }) => stored.server))
  return config.servers
    .filter(({ enabled, trust }) => enabled && trust !== 'trusted')
    .map(({ name }) => name)
    .filter(name => heard.has(name) && !settled.has(name))
}

export function explainToolless(server: string): string {
  return `${server} lists no tools, and nothing else of it is approved, so agents hear nothing of it`
}

export function letSpeak(server: string): string {
  return `approve one of its prompts or templates, or its instructions (hintgate tools review --server ${server}), or set "trust": "trusted" in mcpServers.${server}`
}
