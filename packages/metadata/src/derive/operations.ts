/** What a tool does to resources. `opaque`: the effect depends on the arguments (run code, SQL, shell). */
export const OPERATIONS = ['read', 'create', 'update', 'delete', 'opaque'] as const

export type Operation = (typeof OPERATIONS)[number]

/** Operations that change something. */
export const MUTATING: readonly Operation[] = ['create', 'update', 'delete']

export function isOperation(value: unknown): value is Operation {
  return OPERATIONS.includes(value as Operation)
}
