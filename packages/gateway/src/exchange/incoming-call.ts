import type { CallVariant } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Claim } from '../policy/facts/intent.ts'
import type { Json } from '../protocol/messages.ts'
import type { SetTool } from '../sets/present-tool.ts'
import type { Toolset } from '../sets/toolset.ts'
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
  /**
   * True if the call can reach tools that are only for apps. That is so for calls of apps, and on the surface of one
   * server, where the host itself keeps such tools from its model.
   */
  readonly isForApps?: boolean
  /** The app that makes the call, such as `app clock ui://get-time/app.html`. Undefined if the model makes it. */
  readonly asker?: string | undefined
  /** True if the gateway makes the call itself, to show a person what the actual call would do before they decide. */
  readonly isPreview?: boolean
  /** Set if a task makes the call, after its client was answered. */
  readonly task?: TaskRun
  /** The toolset whose endpoint received the call. Absent at every other endpoint. */
  readonly set?: Toolset | undefined
}

/** The task that makes a call. */
interface TaskRun {
  readonly id: string
  /**
   * Called once, after the call was recorded and just before it is sent. Resolves to false if the call must not be sent,
   * because the task was cancelled or another process has taken it over.
   */
  maySend(): Promise<boolean>
}

/** A call after its tool was found, which also determines its variant. */
export interface Classified {
  /** The call, with arguments converted to the types that the tool's schema requires. */
  readonly call: IncomingCall
  /** The paths of converted arguments. Absent if there are none. */
  readonly converted?: readonly string[]
  readonly tool: CatalogTool
  readonly variant: CallVariant
  /** How the call's toolset offers the tool. Absent outside of toolsets. */
  readonly offered?: SetTool | undefined
}
