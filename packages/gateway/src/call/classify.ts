import type { CallVariant } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { IncomingCall } from './incoming-call.ts'
import { isDryRun } from './preview-way.ts'

/** A call whose tool is known, and with it what kind of call it is. */
export interface Classified {
  readonly call: IncomingCall
  readonly tool: CatalogTool
  readonly variant: CallVariant
}

export function classify(call: IncomingCall, tool: CatalogTool): Classified {
  const variant = isDryRun(call, tool.definition) ? 'call_tool_read' : tool.assessment.variant
  return { call, tool, variant }
}
