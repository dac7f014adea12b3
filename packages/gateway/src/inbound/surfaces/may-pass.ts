import { CALL_VARIANTS } from '@hintgate/metadata'
import { mayCall } from '../../scope/match-scope.ts'
import type { Scope } from '../../scope/scope.ts'

/** What the protocol has besides tools and is passed on to a server. All of it only reads. */
const READS = new Set([
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'resources/subscribe',
  'subscriptions/listen',
  'completion/complete',
  'logging/setLevel',
])

/** Whether a method is one that only reads, by the protocol itself. */
export function isRead(method: string): boolean {
  return READS.has(method)
}

/**
 * Whether a caller may use a method that is no tool call. A token for certain tools is for nothing else; and of a method
 * that the protocol does not have, nobody knows what it does, so it takes every permission there is.
 */
export function mayPass(scope: Scope, method: string): boolean {
  if (scope.tools !== undefined) return false
  return isRead(method)
    ? mayCall(scope, 'call_tool_read')
    : CALL_VARIANTS.every(variant => mayCall(scope, variant))
}
