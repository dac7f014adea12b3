/** How far a tool's hands reach, from its own process to the whole world. */
export const REACHES = ['process', 'local', 'service', 'world'] as const

export type Reach = (typeof REACHES)[number]

export function isReach(value: unknown): value is Reach {
  return REACHES.includes(value as Reach)
}

/**
 * Whether a reach is an open world: files and databases on this machine are not, a service is.
 *
 * @example
 * import { isOpenWorld } from '@hintgate/metadata'
 * isOpenWorld('local') // => false
 * isOpenWorld('service') // => true
 */
export function isOpenWorld(reach: Reach): boolean {
  return reach === 'service' || reach === 'world'
}
