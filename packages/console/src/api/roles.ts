import type { Role } from './client.ts'

/**
 * Each role includes all lower ones. The gateway enforces roles; the console only hides actions that the gateway would
 * refuse.
 */
const RANK: Readonly<Record<Role, number>> = { viewer: 0, approver: 1, operator: 2, admin: 3 }

export function includesRole(has: Role, needs: Role): boolean {
  return RANK[has] >= RANK[needs]
}
