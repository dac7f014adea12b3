import type { HintValues } from '../hint/hints.ts'

type FourHints = Required<Pick<HintValues, 'readOnly' | 'destructive' | 'idempotent' | 'openWorld'>>

/** Common kinds of tools. An author can name one instead of setting four flags. */
export const PRESETS = {
  'read-query': { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  search: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  'external-get': { readOnly: true, destructive: false, idempotent: true, openWorld: true },
  upsert: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  append: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  delete: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  'send-message': { readOnly: false, destructive: true, idempotent: false, openWorld: true },
  deploy: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
} as const satisfies Record<string, FourHints>

export type Preset = keyof typeof PRESETS
