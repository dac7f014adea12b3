import { type Json, type Notification, type Response, RPC, type RpcError } from '../../protocol/messages.ts'
import type { Envelope } from '../../protocol/modern.ts'
import type { Era } from '../../store/store.ts'
import type { Failure, Objection, StreamEvent } from '../channel/channel.ts'

/** Why is for who answered; the server learns nothing but that there is nothing. */
export const ANSWER_HELD_BACK: AskAnswer = {
  error: { code: RPC.generic, message: 'the answer was held back' },
}

/** What a server wants from the person or model behind a call. */
export interface Ask {
  readonly method: string
  readonly params?: Json
}

export type AskAnswer = { readonly result: Json } | { readonly error: RpcError }

export interface UpstreamRequest {
  readonly method: string
  readonly params?: Json | undefined
  /** Who is calling, as a modern server wants to know it on every request. */
  readonly envelope: Envelope
  readonly timeoutMs: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly behind?: Behind | undefined
  /** Asked when everything else is ready: why it must not be sent after all. */
  readonly objectTo?: (() => Objection) | undefined
}

export interface Connected {
  readonly session: string
  readonly connection?: string
}

/** Who is behind a request, and can be told and asked things while it is under way. */
interface Behind {
  /** Absent for our own housekeeping. */
  readonly caller?: Connected & { readonly principal: { readonly id: string } }
  notify(notification: Notification): void
  /** Absent for our own housekeeping: nobody is there to ask. */
  ask?(ask: Ask): Promise<AskAnswer>
  onStream?(event: StreamEvent): void
}

/** What the caller has had of the server in a call that was lost after all. */
export type Heard = 'progress' | 'question'

export type Reply =
  /** `text` is there for long answers that can be passed on as they came. */
  | {
      readonly kind: 'answer'
      readonly message: Response
      readonly text?: string | undefined
      /** How long the message was. */
      readonly bytes?: number
      /** What was spoken where it came from: a server may have connections of both. */
      readonly era?: Era | undefined
    }
  | { readonly kind: 'failure'; readonly failure: Failure; readonly heard?: Heard | undefined }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }

export interface Handshake {
  readonly era: Era
  /** False when the server was silent and only seemed to be of this era. */
  readonly isCertain: boolean
  readonly protocolVersion: string
  readonly capabilities: Json
  readonly serverInfo: unknown
  readonly instructions?: string
  /** What it said at such length that it counts as not said: names of the protocol. */
  readonly leftOut?: readonly string[]
}

/** Told of a fault of ours with something that a server said. */
export type OnFault = (error: unknown) => void
