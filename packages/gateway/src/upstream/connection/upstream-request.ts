import { type Json, type Notification, type Response, RPC, type RpcError } from '../../protocol/messages.ts'
import type { Envelope } from '../../protocol/modern.ts'
import type { Era } from '../../store/store.ts'
import type { Failure, Objection, StreamEvent } from '../channel/channel.ts'

/** The only error that the server sees if an answer is held back. The reason goes to the person who answered. */
export const ANSWER_HELD_BACK: AskAnswer = {
  error: { code: RPC.generic, message: 'the gateway held back the answer' },
}

/** A question from a server to the person or model behind a call. */
export interface Ask {
  readonly method: string
  readonly params?: Json
}

export type AskAnswer = { readonly result: Json } | { readonly error: RpcError }

export interface UpstreamRequest {
  readonly method: string
  readonly params?: Json | undefined
  /** Details about the client, which a modern server expects in every request. */
  readonly envelope: Envelope
  readonly timeoutMs: number
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** The caller's own credential for this server, if the server's config asks for one. */
  readonly credential?: string | undefined
  readonly client?: RequestClient | undefined
  /** Called just before the request is sent. Returns a reason if the request must not be sent after all. */
  readonly objectTo?: (() => Objection) | undefined
}

export interface CallerSession {
  readonly session: string
  readonly connection?: string
}

/** The client behind a request. While the request is open, it can receive notifications and questions. */
interface RequestClient {
  /** Absent for the gateway's own requests. */
  readonly caller?: CallerSession & { readonly principal: { readonly id: string } }
  notify(notification: Notification): void
  /** Absent for the gateway's own requests, which have no client to ask. */
  ask?(ask: Ask): Promise<AskAnswer>
  onStream?(event: StreamEvent): void
}

/** The kind of message that the caller received during a call that was then lost. */
export type Delivered = 'progress' | 'question'

export type Reply =
  /** `text` is set for a long answer that can be forwarded unchanged. */
  | {
      readonly kind: 'answer'
      readonly message: Response
      readonly text?: string | undefined
      /** The message's length in bytes. */
      readonly bytes?: number
      /** The era of the connection that gave the answer. Connections to one server can be of different eras. */
      readonly era?: Era | undefined
    }
  | { readonly kind: 'failure'; readonly failure: Failure; readonly delivered?: Delivered | undefined }
  | { readonly kind: 'timeout' }
  | { readonly kind: 'cancelled' }

export interface Handshake {
  readonly era: Era
  /** False if the era was only assumed because the server did not answer. */
  readonly isCertain: boolean
  readonly protocolVersion: string
  readonly capabilities: Json
  readonly serverInfo: unknown
  readonly instructions?: string
  /** Names of members that were dropped because they are too long. */
  readonly leftOut?: readonly string[]
}

/** Called with the error when the gateway itself fails on a message from the server. */
export type OnFault = (error: unknown) => void
