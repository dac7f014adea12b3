import { type Json, type Notification, type Response, RPC, type RpcError } from '../../protocol/messages.ts'
import type { Envelope } from '../../protocol/modern.ts'
import type { Era } from '../../store/store.ts'
import type { Failure, Objection, StreamEvent } from '../channel/channel.ts'

/** The only error that the server gets if an answer is held back. The person who answered is told the reason. */
export const ANSWER_HELD_BACK: AskAnswer = {
  error: { code: RPC.generic, message: 'the gateway held back the answer' },
}

/** A server's question to the person or model behind a call. */
export interface Ask {
  readonly method: string
  readonly params?: Json
}

export type AskAnswer = { readonly result: Json } | { readonly error: RpcError }

export interface UpstreamRequest {
  readonly method: string
  readonly params?: Json | undefined
  /** The client's details, which a modern server expects on every request. */
  readonly envelope: Envelope
  readonly timeoutMs: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly client?: RequestClient | undefined
  /** Called when everything else is ready. Returns the reason if the request must not be sent after all. */
  readonly objectTo?: (() => Objection) | undefined
}

export interface CallerSession {
  readonly session: string
  readonly connection?: string
}

/** The client behind a request, which can receive notifications and questions while the request is open. */
interface RequestClient {
  /** Absent for the gateway's own requests. */
  readonly caller?: CallerSession & { readonly principal: { readonly id: string } }
  notify(notification: Notification): void
  /** Absent for the gateway's own requests, which have no client to ask. */
  ask?(ask: Ask): Promise<AskAnswer>
  onStream?(event: StreamEvent): void
}

/** What the caller received during a call before the call was lost. */
export type Delivered = 'progress' | 'question'

export type Reply =
  /** `text` is set for long answers that can be passed on unchanged. */
  | {
      readonly kind: 'answer'
      readonly message: Response
      readonly text?: string | undefined
      /** The length of the message. */
      readonly bytes?: number
      /** The era of the connection that the answer came from. One server may have connections of both eras. */
      readonly era?: Era | undefined
    }
  | { readonly kind: 'failure'; readonly failure: Failure; readonly delivered?: Delivered | undefined }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }

export interface Handshake {
  readonly era: Era
  /** False if this era was only assumed, because the server did not answer. */
  readonly isCertain: boolean
  readonly protocolVersion: string
  readonly capabilities: Json
  readonly serverInfo: unknown
  readonly instructions?: string
  /** The names of the members that were left out because they are too long. */
  readonly leftOut?: readonly string[]
}

/** Receives the error when the gateway fails on a server's message. */
export type OnFault = (error: unknown) => void
