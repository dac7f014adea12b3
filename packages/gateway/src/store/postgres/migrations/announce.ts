/**
 * A trigger that counts a change which others have to hear of, and tells them. It waits for the end of the transaction:
 * the counter is the last thing that is locked, so nobody waits in a circle.
 */
export function announce(event: string, table: string): string {
  const name = `${table}_${event.split(' ')[0]}`
  return `create constraint trigger ${name} after ${event} on hintgate.${table}
    deferrable initially deferred for each row execute function hintgate.announce_change()`
}
