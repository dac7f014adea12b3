import type { ServerResponse } from 'node:http'
import type { Ledger } from '../../admission/ledger.ts'
import type { LongWork } from '../../admission/long-work.ts'
import type { Limits } from '../../config/config.ts'
import { sendError, sendJson } from '../../http/answer.ts'
import { isLongBody, readBody } from '../../http/read-body.ts'
import { isJsonObject, type Response, RPC } from '../../protocol/messages.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { refuseOdd } from '../../protocol/refuse-odd.ts'
import type { Inbound } from '../wire/inbound.ts'
import { refuse, refuseBody, refuseBusy } from './refuse-request.ts'

/** Adds the trace context from the headers to a message. */
export type AdoptTrace = (body: unknown, rawHeaders: readonly string[]) => unknown

interface ReaderDeps {
  readonly limits: Limits
  readonly longWork: LongWork
  readonly adoptTrace: AdoptTrace | undefined
  readonly ledger: Ledger
  /** Runs `work`. If an internal error occurs, only this response ends. */
  guard(res: ServerResponse, work: () => void | Promise<void>): void
  /** Receives a message or a batch of messages. */
  onMessage(inbound: Inbound, message: unknown): void | Promise<void>
}

const JSON_TYPE = /^application\/json(?:\s*;|$)/i

/** Turns a posted body into a JSON-RPC message and applies the limits. */
export class MessageReader {
  readonly #deps: ReaderDeps
  readonly #ledger: Ledger

  constructor(deps: ReaderDeps) {
    this.#deps = deps
    this.#ledger = deps.ledger
  }

  read(inbound: Inbound): void {
    const { req, res, headers } = inbound
    const { bodyBytes } = this.#deps.limits
    if (!isJson(headers['content-type'] ?? ''))
      return refuse(res, 415, 'Content-Type must be application/json')
    if (Number(headers['content-length'] ?? 0) > bodyBytes) return refuseBody(res, 'long', bodyBytes)
    const mayGrow = (bytes: number): boolean => {
      const busy = this.#ledger.grow(inbound, bytes)
      if (busy !== undefined) refuseBusy(res, busy)
      return busy === undefined
    }
    readBody(req, { maxBytes: bodyBytes, mayGrow }, (text, fault) => {
      if (text === undefined) return isAnswered(res) ? undefined : refuseBody(res, fault, bodyBytes)
      if (isLongBody(text)) this.#queue(inbound, text)
      else this.#deps.guard(res, () => this.#parse(inbound, text))
    })
  }

  /** Queues a long body for parsing, so that many long bodies do not delay other callers. */
  #queue(inbound: Inbound, text: string): void {
    // The client has sent everything, so the time that the body now waits does not make it late.
    inbound.isWhole = true
    const leave = this.#deps.longWork.take(inbound.principal.id, () => {
      inbound.call = undefined
      this.#deps.guard(inbound.res, () => this.#parse(inbound, text))
    })
    // If the client disconnects, the body is dropped and no longer counts towards the limits.
    if (leave !== undefined) inbound.call = { cancelUnlessParked: leave }
  }

  #parse(inbound: Inbound, text: string): void | Promise<void> {
    const { req, res } = inbound
    const { batch, jsonDepth, members } = this.#deps.limits
    // While this body waited, the response might have timed out, or the client might have disconnected.
    if (isAnswered(res)) return
    const body = parseJson(text, jsonDepth, members)
    if (!body.ok) {
      const error = { code: RPC.parse, message: `Parse error: ${body.reason}` }
      return sendError(res, { status: 400, error })
    }
    if (Array.isArray(body.value) && body.value.length > batch)
      return refuse(res, 413, `the batch is too long; send at most ${batch} messages in a batch`)
    const refusal = refuseMessages(body.value)
    if (refusal !== undefined) return sendJson(res, 400, writeJson(refusal))
    const { adoptTrace } = this.#deps
    const adopted = adoptTrace === undefined ? body.value : adoptTrace(body.value, req.rawHeaders)
    const busy = this.#ledger.become(inbound, 'call', countRequests(adopted))
    return busy === undefined ? this.#deps.onMessage(inbound, adopted) : refuseBusy(res, busy)
  }
}

/** True if the answer was sent or the client has disconnected. */
function isAnswered({ writableEnded, closed }: ServerResponse): boolean {
  return writableEnded || closed
}

function isJson(type: string): boolean {
  return type === 'application/json' || JSON_TYPE.test(type)
}

/** Returns a refusal, or undefined if all messages are acceptable. One refused message makes the whole batch fail. */
function refuseMessages(body: unknown): Response | undefined {
  if (!Array.isArray(body)) return refuseOdd(body)
  return body.map(refuseOdd).find(refusal => refusal !== undefined)
}

/**
 * Counts only requests, because responses, notifications and cancellations must get through even when the call limit is
 * reached.
 */
function countRequests(body: unknown): number {
  if (Array.isArray(body)) return body.filter(isCall).length
  return isCall(body) ? 1 : 0
}

function isCall(message: unknown): boolean {
  return isJsonObject(message) && message.method !== undefined && message.id !== undefined
}
