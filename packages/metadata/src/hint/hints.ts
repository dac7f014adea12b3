/**
 * The only table of hints. `strict` is the value that demands more care; as in the MCP specification, it is the default
 * for an undeclared hint.
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

/** The four hints in the MCP specification, in the specification's order. */
export const SPEC_HINTS = ['readOnly', 'destructive', 'idempotent', 'openWorld'] as const

/** Hints that the specification does not have. They are sent in `_meta["io.hintgate/hints"]`. */
export const RISK_HINTS = ['reversible', 'egress', 'sensitive'] as const

export const HINT_NAMES: readonly HintName[] = [...SPEC_HINTS, ...RISK_HINTS]

/** Declared hints. A hint that is absent is undeclared, which is a third state and not a default. */
export type HintValues = { readonly [K in HintName]?: boolean }
