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
    message: p => `${p.store} has schema version ${p.found}; this Hintgate knows up to ${p.known}`,
    remedy: 'Run the newer Hintgate, or restore a backup from before it (beside the database, with SQLite).',
  }),
  store_foreign: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} is a database of another program`,
    remedy: 'Point "store" at another file or database; this one is left as it is.',
  }),
  store_corrupt: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} is damaged or not a database${because(p.why)}`,
    remedy: 'Move it away and restore a backup (they lie beside it), or start with a new one.',
  }),
  store_read_only: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} cannot be written${because(p.why)}`,
    remedy: 'Give this user the right to write the file and its folder.',
  }),
  store_locked: kind<StorePayload>({
    http: 503,
    exit: FAILED,
    message: p => `${p.store} is locked by another program${because(p.why)}`,
    remedy: 'End the program that holds it (a backup or a database browser?) and try again.',
  }),
  store_unavailable: kind<StorePayload>({
    http: 503,
    exit: FAILED,
    message: p => `${p.store} cannot be used${because(p.why)}`,
    remedy: 'See that the folder exists, can be written by this user and has space left.',
  }),
  store_unreachable: kind<StorePayload>({
    http: 503,
    exit: FAILED,
    message: p => `${p.store} cannot be reached${because(p.why)}`,
    remedy: 'See that PostgreSQL runs there, takes connections from here and has some left.',
  }),
  store_forbidden: kind<StorePayload>({
    http: 500,
    exit: FAILED,
    message: p => `${p.store} does not let us in${because(p.why)}`,
    remedy:
      'Check user, password and database in "store"; the user needs the right to create a schema there.',
  }),
  store_not_empty: kind<StorePayload>({
    http: 409,
    exit: FAILED,
    message: p => `${p.store} has something in it already${because(p.why)}`,
    remedy: 'Copy to a new database.',
  }),
} as const
