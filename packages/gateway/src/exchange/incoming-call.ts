import type { CallVariant } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Claim } from '../policy/facts/intent.ts'
import type { Json } from '../protocol/messages.ts'
import type { Exchange } from './exchange.ts'

/** A tool call as a transport passes it on: the caller is known, but the tool is only a name so far. */
export interface IncomingCall {
  readonly exchange: Exchange
  readonly server: string
  readonly tool: string
  /** The tool's name as the caller wrote it, for messages. */
  readonly typed: string
  readonly params: Json
  /**
   * Set only on the search surface. Other surfaces have no variants, and no `read_result` for the rest of a long
   * result.
   */
  readonly claim?: Claim | undefined
  /** True if the gateway makes the call, to show a person what the actual call would do before they decide. */
  readonly isPreview?: boolean
}

/** A call whose tool, and therefore variant, is known. */
export interface Classified {
  readonly call: IncomingCall
  readonly tool: CatalogTool
  readonly variant: CallVariant
}
