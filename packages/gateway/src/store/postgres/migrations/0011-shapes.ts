import type { Migration } from './migration.ts'

/** Chunks of the audit log are packed by shapes now, which versions before this one would misread; old ones stay as they are. */
export const shapes: Migration = { version: 11, statements: [] }
