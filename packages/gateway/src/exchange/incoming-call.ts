import type { CallVariant } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Claim } from '../policy/facts/intent.ts'
import type { Json } from '../protocol/messages.ts'
import type { Exchange } from './exchange.ts'

/** A tool call as it arrives from a transport. The caller is known, but the tool is only a name so far. */
export interface IncomingCall {
  readonly exchange: Exchange
  readonly server: string
  readonly tool: string
  /** The tool's name as the caller wrote it, for messages. */
  readonly typed: string
  readonly params: Json
  /**
   * The variant and intent that the caller claims. Set only on the search surface; other surfaces have neither variants
   * nor `read_result`.
   */
  readonly claim?: Claim | undefined
  /** True if the gateway makes the call itself, to show a person what the actual call would do before they decide. */
  readonly isPreview?: boolean
}

/** A call after its tool was found, which also determines its variant. */
export interface Classified {
  /** The call, with arguments converted to the types that the tool's schema requires. */
  readonly call: IncomingCall
  /** The paths of converted arguments. Absent if there are none. */
  readonly converted?: readonly string[]
  readonly tool: CatalogTool
  readonly variant: CallVariant
}
