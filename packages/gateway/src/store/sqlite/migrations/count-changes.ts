/** A trigger that counts a change which others have to hear of. */
export function count(event: string, table: string): string {
  const name = `${table}_${event.split(' ')[0]}`
  return `create trigger ${name} after ${event} on ${table}
    begin update changes set version = version + 1; end`
}
