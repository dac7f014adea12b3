import type { CallVariant } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { IncomingCall } from './incoming-call.ts'

/** A call whose tool is known, and with it what kind of call it is. */
export interface Classified {
  readonly call: IncomingCall
  readonly tool: CatalogTool
  readonly variant: CallVariant
}
