import type { CallVariant } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Claim } from '../policy/facts/intent.ts'
import type { Json } from '../protocol/messages.ts'
import type { Exchange } from './exchange.ts'

/** A tool call as a transport hands it in: the caller is known, the target is still a name. */
export interface IncomingCall {
  readonly exchange: Exchange
  readonly server: string
  readonly tool: string
  /** The tool as the caller wrote it, for messages. */
  readonly typed: string
  readonly params: Json
  /** Only the search surface has variants to choose from, and can read on in what does not fit into one answer. */
  readonly claim?: Claim | undefined
  /** Made by us, so that a person sees what a call would do before they allow it. */
  readonly isPreview?: boolean
}

/** A call whose tool is known, and with it what kind of call it is. */
export interface Classified {
  readonly call: IncomingCall
  readonly tool: CatalogTool
  readonly variant: CallVariant
}
