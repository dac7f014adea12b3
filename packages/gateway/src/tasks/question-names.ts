import type { Talk } from './task-vault.ts'

/**
 * Names a question so that no other question of the task has the same name. A server can use a name again when it asks
 * for the second time, and a client would take that for the question that it has answered.
 */
export function nameForClient(round: number, key: string): string {
  return round === 1 ? key : `${key}#${round}`
}

/** Returns the name that the server gave to a question. */
export function nameAtServer(name: string, { round }: Pick<Talk, 'round'>): string {
  const suffix = `#${round}`
  return round > 1 && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}
