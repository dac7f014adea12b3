/** The roles of people. Each role includes the rights of the roles before it. */
export const ROLES = ['viewer', 'approver', 'operator', 'admin'] as const

export type Role = (typeof ROLES)[number]

/**
 * @example
 * hasRole('operator', 'approver') // => true
 */
export function hasRole(role: Role, needed: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(needed)
}
