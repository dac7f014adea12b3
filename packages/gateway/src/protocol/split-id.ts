/** `server:tool`. No server's name has a colon, so the first one is the border; without one there is no such server. */
export function splitId(id: string): { readonly server: string; readonly tool: string } {
  const at = id.indexOf(':')
  return at < 1 ? { server: '', tool: id } : { server: id.slice(0, at), tool: id.slice(at + 1) }
}
