import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified } from '../exchange/classified.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import { isDryRun } from './preview-way.ts'

export function classify(call: IncomingCall, tool: CatalogTool): Classified {
  const variant = isDryRun(call, tool.definition) ? 'call_tool_read' : tool.assessment.variant
  return { call, tool, variant }
}
