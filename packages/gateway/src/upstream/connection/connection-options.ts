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
  /** Answers the server when it asks for roots. */
  readonly roots?: Roots
  readonly screen?: Screen
  /** Limits the time spent on messages from this server. All connections to the server share it. */
  readonly attention?: Attention
  /** Called when the gateway itself fails while handling a message from the server. */
  readonly onFault?: OnFault | undefined
}
