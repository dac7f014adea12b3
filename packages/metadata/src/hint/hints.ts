/**
 * The only table of hints. `strict` is the value that demands more care. It is the default of an undeclared hint, as in
 * the MCP specification.
 */
export const HINTS = {
  readOnly: { wire: 'readOnlyHint', strict: false, label: 'read-only' },
  destructive: { wire: 'destructiveHint', strict: true, label: 'destructive' },
  idempotent: { wire: 'idempotentHint', strict: false, label: 'idempotent' },
  openWorld: { wire: 'openWorldHint', strict: true, label: 'open-world' },
  reversible: { wire: 'reversibleHint', strict: false, label: 'reversible' },
  egress: { wire: 'egressHint', strict: true, label: 'egress' },
  sensitive: { wire: 'sensitiveHint', strict: true, label: 'sensitive' },
} as const

export type HintName = keyof typeof HINTS

/** The four hints that the MCP specification defines, in its order. */
export const SPEC_HINTS = ['readOnly', 'destructive', 'idempotent', 'openWorld'] as const

/** Hints beyond the specification, sent in `_meta["io.hintgate/hints"]`. */
export const RISK_HINTS = ['reversible', 'egress', 'sensitive'] as const

export const HINT_NAMES: readonly HintName[] = [...SPEC_HINTS, ...RISK_HINTS]

/** Declared hints. An absent hint is undeclared: a third state, not a default. */
export type HintValues = { readonly [K in HintName]?: boolean }
