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

/** Puts into a message what the headers say of the trace that it belongs to. */
export type AdoptTrace = (body: unknown, rawHeaders: readonly string[]) => unknown

interface Means {
  readonly limits: Limits
  readonly longWork: LongWork
  readonly adoptTrace: AdoptTrace | undefined
  readonly ledger: Ledger
  /** A fault of ours ends one response. */
  guard(res: ServerResponse, work: () => void | Promise<void>): void
  /** A message, or a batch of them. */
  onMessage(inbound: Inbound, message: unknown): void | Promise<void>
}

const JSON_TYPE = /^application\/json(?:\s*;|$)/i

/** Reads what is posted: bytes to a message of JSON-RPC that is no odder than others may read. */
export class MessageReader {
  readonly #means: Means
  readonly #ledger: Ledger

  constructor(means: Means) {
    this.#means = means
    this.#ledger = means.ledger
  }

  read(inbound: Inbound): void {
    const { req, res, headers } = inbound
    const { bodyBytes } = this.#means.limits
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
      if (!isLongBody(text)) return this.#means.guard(res, () => this.#parse(inbound, text))
      // It stands still until its turn comes, which is not its client's fault.
      inbound.isWhole = true
      const leave = this.#means.longWork.take(inbound.principal.id, () => {
        inbound.call = undefined
        this.#means.guard(res, () => this.#parse(inbound, text))
      })
      // Whoever hangs up takes the body along: it is counted no longer.
      if (leave !== undefined) inbound.call = { cancelUnlessParked: leave }
    })
  }

  #parse(inbound: Inbound, text: string): void | Promise<void> {
    const { req, res } = inbound
    const { batch, jsonDepth, members } = this.#means.limits
    // It came too late, or its turn did.
    if (isAnswered(res)) return
    const body = parseJson(text, jsonDepth, members)
    if (!body.ok) {
      const error = { code: RPC.parse, message: `Parse error: ${body.reason}` }
      return sendError(res, { status: 400, error })
    }
    if (Array.isArray(body.value) && body.value.length > batch)
      return refuse(res, 413, `a batch may have ${batch} messages`)
    const refusal = refuseFirst(body.value)
    if (refusal !== undefined) return sendJson(res, 400, writeJson(refusal))
    const { adoptTrace } = this.#means
    const adopted = adoptTrace === undefined ? body.value : adoptTrace(body.value, req.rawHeaders)
    const busy = this.#ledger.become(inbound, 'call', countRequests(adopted))
    return busy === undefined ? this.#means.onMessage(inbound, adopted) : refuseBusy(res, busy)
  }
}

/** Also where whoever asked has gone. */
function isAnswered({ writableEnded, closed }: ServerResponse): boolean {
  return writableEnded || closed
}

function isJson(type: string): boolean {
  return type === 'application/json' || JSON_TYPE.test(type)
}

/** A batch with one such message is refused as a whole: what the others are worth nobody can say. */
function refuseFirst(body: unknown): Response | undefined {
  if (!Array.isArray(body)) return refuseOdd(body)
  for (const message of body) {
    const refusal = refuseOdd(message)
    if (refusal !== undefined) return refusal
  }
  return undefined
}

/** Answers, notifications and cancellations are no calls: they have to come through when all calls are taken. */
function countRequests(body: unknown): number {
  if (!Array.isArray(body)) return isCall(body) ? 1 : 0
  return body.filter(isCall).length
}

function isCall(message: unknown): boolean {
  return isJsonObject(message) && message.method !== undefined && message.id !== undefined
}
