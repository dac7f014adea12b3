const join = (...parts: readonly string[]): string => `/${parts.map(encodeURIComponent).join('/')}`

/** Paths of pages that show details. */
export const pathOf = {
  tool: (server: string, name: string): string => join('tools', server, name),
  toolset: (name: string): string => join('toolsets', name),
  server: (name: string): string => join('servers', name),
  agent: (name: string): string => join('agents', name),
  session: (id: string): string => join('sessions', id),
  call: (request: string): string => join('activity', request),
  approval: (id: string): string => join('approvals', id),
}

/** Splits `server:tool` at the first colon. A server's name contains none. */
export function splitToolId(id: string): readonly [server: string, name: string] {
  const at = id.indexOf(':')
  return at < 0 ? ['', id] : [id.slice(0, at), id.slice(at + 1)]
}
