import type { NotifyFilter } from '../config/build-notify.ts'
import { matchesGlob } from '../scope/match-scope.ts'
import type { Message } from './message.ts'

type Told = Pick<Message, 'server' | 'variant' | 'consequences' | 'agent'>

/**
 * Whether a channel tells of a call: every part of the filter that is there must match.
 *
 * @example
 * matchesFilter({ servers: ['crm*'] }, message) // => true for crm-eu
 */
export function matchesFilter(
  { servers, variants, consequences, agents }: NotifyFilter,
  told: Told,
): boolean {
  return (
    (servers === undefined || servers.some(glob => matchesGlob(glob, told.server))) &&
    (variants === undefined || variants.includes(told.variant)) &&
    (consequences === undefined || told.consequences.some(kind => consequences.includes(kind))) &&
    (agents === undefined || agents.some(glob => matchesGlob(glob, told.agent)))
  )
}
