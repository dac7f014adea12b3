/** The reach of a tool's effects, from its own process to the whole world. */
export const REACHES = ['process', 'local', 'service', 'world'] as const

export type Reach = (typeof REACHES)[number]

export function isReach(value: unknown): value is Reach {
  return REACHES.includes(value as Reach)
}

/**
 * Returns true if a reach counts as open world. Files and databases on this machine do not; services do.
 *
 * @example
 * import { isOpenWorld } from '@hintgate/metadata'
 * isOpenWorld('local') // => false
 * isOpenWorld('service') // => true
 */
export function isOpenWorld(reach: Reach): boolean {
  return reach === 'service' || reach === 'world'
}
