/**
 * The operations that a tool can perform. `opaque` means that the effect depends on the arguments, as with code, SQL or
 * shell commands.
 */
export const OPERATIONS = ['read', 'create', 'update', 'delete', 'opaque'] as const

export type Operation = (typeof OPERATIONS)[number]

/** Operations that change something. */
export const MUTATING: readonly Operation[] = ['create', 'update', 'delete']

export function isOperation(value: unknown): value is Operation {
  return OPERATIONS.includes(value as Operation)
}
