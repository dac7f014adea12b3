import type { CallVariant } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Claim } from '../policy/facts/intent.ts'
import type { Json } from '../protocol/messages.ts'
import type { Exchange } from './exchange.ts'

/** A tool call as a transport passes it on: the caller is known, the tool is still a name. */
export interface IncomingCall {
  readonly exchange: Exchange
  readonly server: string
  readonly tool: string
  /** The tool's name as the caller wrote it, for messages. */
  readonly typed: string
  readonly params: Json
  /** Set on the search surface, which alone offers variants and can read on in long results. */
  readonly claim?: Claim | undefined
  /** Made by the gateway, so that a person sees what a call would do before allowing it. */
  readonly isPreview?: boolean
}

/** A call whose tool is known, and with it the variant of the call. */
export interface Classified {
  readonly call: IncomingCall
  readonly tool: CatalogTool
  readonly variant: CallVariant
}
