import type { Recorder } from '../audit/entry.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { mayUseTool } from '../scope/match-scope.ts'
import { classify } from './match-tool.ts'
import { recordOutcome, startRecord } from './record.ts'

export interface RefusalDeps {
  readonly catalog: Pick<Catalog, 'find'>
  readonly recorder: Recorder
}

/** Records a call that a surface refuses before the first step of a call. Returns the refusal. */
export async function recordRefusal(
  call: IncomingCall,
  refusal: Refusal,
  deps: RefusalDeps,
): Promise<Refusal> {
  const record = { ...startRecord(call), classified: classifyKnown(call, deps) }
  await recordOutcome(record, { kind: 'refused', refusal }, deps.recorder)
  return refusal
}

/** Uses only what the catalog already knows, because a refused call must not start a server. */
function classifyKnown(call: IncomingCall, { catalog }: RefusalDeps): Classified | undefined {
  const isInScope = mayUseTool(call.exchange.caller.principal.scope, call.server, call.tool)
  if (!isInScope) return undefined
  const offered = call.set?.find(call.typed)
  const tool = call.set === undefined ? catalog.find(call.server, call.tool) : offered?.tool
  return tool === undefined ? undefined : classify(call, tool, offered)
}
