/**
 * Splits an id such as `server:tool` at the first colon, because server names contain none. If there is no colon, the
 * server is empty.
 */
export function splitId(id: string): { readonly server: string; readonly tool: string } {
  const at = id.indexOf(':')
  return at < 1 ? { server: '', tool: id } : { server: id.slice(0, at), tool: id.slice(at + 1) }
}
