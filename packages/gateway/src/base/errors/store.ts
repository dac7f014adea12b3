import { because, FAILED, kind, type StorePayload, USAGE } from './kind.ts'

export const STORE_ERRORS = {
  store_unsupported: kind<StorePayload>({
    http: 500,
    exit: USAGE,
    message: p => `The store ${p.store} is not supported`,
    remedy: 'Use "sqlite:PATH", for example "sqlite:data/hintgate.db", or "postgres://USER@HOST/DATABASE".',
  }),
  store_newer: kind<StorePayload & { readonly found: number; readonly known: number }>({
    http: 500,
    exit: FAILED,
    message: p =>
      `${p.store} has schema version ${p.found}; this Hintgate supports versions up to ${p.known}`,
    remedy:
      'Run the newer Hintgate, or restore a backup from before the upgrade. SQLite backups are in the same folder.',
  }),
  store_foreign: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} belongs to another program`,
    remedy: 'Set "store" to another file or database. Nothing was changed.',
  }),
  store_corrupt: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} is damaged or not a database${because(p.why)}`,
    remedy:
      'Move the file away, then restore a backup from the same folder or let the next start create a new database.',
  }),
  store_read_only: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} cannot be written${because(p.why)}`,
    remedy: 'Give the current user write permission for the file and its folder.',
  }),
  store_locked: kind<StorePayload>({
    http: 503,
    exit: FAILED,
    message: p => `${p.store} is locked by another program${because(p.why)}`,
    remedy: 'Stop the program that holds the lock, such as a backup or a database browser, and try again.',
  }),
  store_unavailable: kind<StorePayload>({
    http: 503,
    exit: FAILED,
    message: p => `${p.store} cannot be used${because(p.why)}`,
    remedy:
      'Check that the folder exists, that the current user can write to it, and that the disk has free space.',
  }),
  store_unreachable: kind<StorePayload>({
    http: 503,
    exit: FAILED,
    message: p => `${p.store} cannot be reached${because(p.why)}`,
    remedy:
      'Check that PostgreSQL is running, accepts connections from this machine and is below its connection limit.',
  }),
  store_forbidden: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} denied access${because(p.why)}`,
    remedy: 'Check the user, password and database in "store". The user needs the right to create a schema.',
  }),
  store_not_empty: kind<StorePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.store} is not empty${because(p.why)}`,
    remedy: 'Choose an empty database to copy to.',
  }),
} as const
