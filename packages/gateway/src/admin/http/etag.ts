import { createHash } from 'node:crypto'
import { AdminProblem } from './problem.ts'

/** Stands for one state of something, so that an edit can say which one it is about. */
export function etagOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)
}

/** Whoever edits has seen what is there now. */
export function requireMatch(match: string, etag: string): void {
  if (match !== etag)
    throw new AdminProblem('stale_edit', 'Somebody has changed it since you looked. Look again, then repeat.')
}
