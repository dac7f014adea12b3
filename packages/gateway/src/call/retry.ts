import type { Exchange } from '../exchange/exchange.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Attempt, ServerReply } from '../upstream/attempt.ts'
import type { Failure } from '../upstream/channel/channel.ts'
import { loadCockatiel } from '../upstream/recovery/breaker.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'

/** A request that is to be sent, if need be more than once. */
export interface Sending {
  readonly exchange: Exchange
  readonly server: UpstreamServer
  readonly params: Json | undefined
  /** Whether repeating it does nothing more, even if it was executed. */
  readonly mayRepeat: boolean
  readonly onAttempt: ((count: number) => void) | undefined
  /** When it was sent first, in the time of `performance.now()`. */
  readonly startedAt: number
  send(params: Json | undefined, timeoutMs: number): Attempt
}

type NoAnswer = Exclude<ServerReply, { kind: 'answer' }>

/**
 * Sends a request again that got lost: if it certainly never arrived, or if repeating it does nothing more. All
 * attempts together have the time that one has, and the server's budget is not exceeded. What comes back says that the
 * request may have been executed if any of the attempts may have been.
 */
export async function retry(sending: Sending, first: NoAnswer): Promise<ServerReply> {
  const { exchange, server, onAttempt } = sending
  const { attempts, delayMs, maxDelayMs } = server.config.retry
  if (attempts === 1 || !isRepeatable(first, sending)) return first
  const caller = new Caller(exchange)
  const { ExponentialBackoff, fullJitterGenerator } = loadCockatiel()
  const pauses = { generator: fullJitterGenerator, initialDelay: delayMs, maxDelay: maxDelayMs }
  let pause = new ExponentialBackoff(pauses).next()
  let { params } = sending
  let last = first
  let ends = countEnds(first)
  for (let attempt = 2; attempt <= attempts && isRepeatable(last, sending); attempt++) {
    // Under which a server ended twice is what ends it.
    if (ends === 2) break
    if (leftOf(sending) <= pause.duration || !server.retries.withdraw()) break
    if (await caller.leavesWithin(pause.duration)) return { kind: 'cancelled' }
    onAttempt?.(attempt)
    if (last.kind === 'failure' && last.heard === 'progress') params = withoutToken(params)
    const reply = await inTime(sending.send(params, Math.max(1, leftOf(sending))), leftOf(sending))
    if (reply.kind === 'answer' || reply.kind === 'cancelled') return reply
    if (isObjection(reply)) {
      // It was not sent, and will not be.
      onAttempt?.(attempt - 1)
      return mayHaveRun(last) ? last : reply
    }
    ends += countEnds(reply)
    last = mayHaveRun(last) && !mayHaveRun(reply) ? last : reply
    pause = pause.next(undefined)
  }
  return last
}

function leftOf({ server, startedAt }: Sending): number {
  return startedAt + server.config.timeoutMs - performance.now()
}

function isRepeatable(reply: NoAnswer, { server, mayRepeat, params }: Sending): boolean {
  if (reply.kind !== 'failure' || !isTransport(reply.failure) || server.state === 'stopped') return false
  // Whoever was asked something has answered this attempt, and no other.
  const isAnswered = reply.heard === 'question' || params?.inputResponses !== undefined
  return reply.failure.notSent || (mayRepeat && !isAnswered && params?.requestState === undefined)
}

function isTransport({ kind, isLasting }: Failure): boolean {
  return (kind === 'unavailable' || kind === 'session-lost') && isLasting !== true
}

function isObjection(reply: NoAnswer): boolean {
  return reply.kind === 'failure' && reply.failure.kind === 'quarantined'
}

function countEnds(reply: NoAnswer): number {
  return reply.kind === 'failure' && reply.failure.isEnd === true ? 1 : 0
}

function mayHaveRun(reply: NoAnswer): boolean {
  return reply.kind === 'timeout' || (reply.kind === 'failure' && !reply.failure.notSent)
}

/** Progress must not go back, so a call that has shown some goes on without. */
function withoutToken(params: Json | undefined): Json | undefined {
  if (!isJsonObject(params?._meta)) return params
  const { progressToken: _token, ...rest } = params._meta
  return { ...params, _meta: rest }
}

const NOT_BACK: ServerReply = {
  kind: 'failure',
  failure: { kind: 'unavailable', detail: 'it did not come back in time', notSent: true, isLasting: true },
}

/** Once it is sent, its connection sees to its time; until then, nobody else does. */
async function inTime(attempt: Attempt, ms: number): Promise<ServerReply> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<ServerReply>(resolve => {
    timer = setTimeout(() => {
      if (attempt.isSent) return
      attempt.cancel()
      resolve(NOT_BACK)
    }, ms).unref()
  })
  try {
    return await Promise.race([attempt.reply, tooLate])
  } finally {
    clearTimeout(timer)
  }
}

/** Whoever waits for the answer, and may stop waiting at any moment. */
class Caller {
  #isGone = false
  #wake: (() => void) | undefined

  constructor(exchange: Exchange) {
    exchange.onCancel(() => {
      this.#isGone = true
      this.#wake?.()
    })
  }

  async leavesWithin(ms: number): Promise<boolean> {
    if (this.#isGone) return true
    let timer: NodeJS.Timeout | undefined
    await new Promise<void>(resolve => {
      this.#wake = resolve
      timer = setTimeout(resolve, ms)
    })
    clearTimeout(timer)
    return this.#isGone
  }
}
