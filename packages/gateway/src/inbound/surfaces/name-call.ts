import type { IncomingCall } from '../../exchange/incoming-call.ts'
import { splitId } from '../../protocol/split-id.ts'
import type { Toolset } from '../../sets/toolset.ts'

/** Returns the tool that a typed id means: `server:tool`, or in a toolset the set's name for a tool. */
export function nameCall(
  typed: string,
  set: Toolset | undefined,
): Pick<IncomingCall, 'server' | 'tool' | 'typed' | 'set'> {
  return set === undefined ? { ...splitId(typed), typed } : { ...set.targetOf(typed), typed, set }
}
