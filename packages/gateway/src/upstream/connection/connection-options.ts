import type { Attention } from '../../admission/talk.ts'
import type { Failure } from '../channel/channel.ts'
import type { EventListener } from './notifications.ts'
import type { Roots } from './roots.ts'
import type { Screen } from './screen-questions.ts'
import type { OnFault } from './upstream-request.ts'

export interface ConnectionEvents extends EventListener {
  onClosed(failure: Failure): void
}

export interface ConnectionOptions {
  /** The gateway's answer when the server asks for roots. */
  readonly roots?: Roots
  readonly screen?: Screen
  /** The budget of processing time for messages from this server, shared by all its connections. */
  readonly attention?: Attention
  /** Called when the gateway fails while it handles a message from the server. */
  readonly onFault?: OnFault | undefined
}
