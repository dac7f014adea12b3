/**
 * A caller as names of sessions begin with it: the first slash there ends who it is. Issuers choose what their callers are
 * called, with slashes too; written so that it is still clear who is meant.
 *
 * @example
 * ownerName('agent:bob/team@id.example') // 'agent:bob%2Fteam@id.example'
 */
export function ownerName(id: string): string {
  return id.includes('/') || id.includes('%') ? id.replaceAll(/[%/]/g, encodeURIComponent) : id
}
