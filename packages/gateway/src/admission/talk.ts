import { LIMITS } from './limits.ts'
import { Meter } from './meter.ts'

const { messages, little, inAll, workMs: work, mostPausedMs, longestNotification } = LIMITS.talk
/** Shorter times are noise from other processes. */
const SOME_WORK_MS = 1
/** So many characters cost as much as one more message. */
const TEXT_FOR_ONE = 1024
/** A batch can contain one message for so many characters. */
const SHORTEST_IN_BATCH = 32

const BATCH = /^\s*\[/
const NOTIFICATION = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"\s*:\s*"notifications\//
const LOG_LINE = new RegExp(`${NOTIFICATION.source}message"`)

/** A message of a server that is not a reply, and the time it took to process. */
interface Said {
  readonly text: string
  readonly workMs: number
}

/**
 * How much time a server may take with messages that are not replies. Once it is used up, further messages are dropped
 * unread. That is checked before each message, because many arrive at once and a pause would come too late for them.
 */
export class Attention {
  readonly #meter = new Meter(work)
  readonly #readCpuMs: (() => number) | undefined
  #cpuMs = 0

  /** Without a CPU clock, all elapsed time counts as work. */
  constructor(readCpuMs?: () => number) {
    this.#readCpuMs = readCpuMs
  }

  /** Called before a message is processed. Replies are not charged, so they skip reading the clock. */
  begin(text: string): void {
    if (this.#readCpuMs !== undefined && !looksLikeAnswer(text)) this.#cpuMs = this.#readCpuMs()
  }

  /** The most of the elapsed time that was work. On a busy machine other processes take most of it, which is not the server's fault. */
  workOf(tookMs: number): number {
    return this.#readCpuMs === undefined ? tookMs : Math.min(tookMs, this.#readCpuMs() - this.#cpuMs)
  }

  isSpent(now: number): boolean {
    return this.#meter.charge(0, now) > 0
  }

  /** Returns how long to pause the server; 0 when processing took hardly any time. */
  spend(workMs: number, now: number): number {
    const pauseMs = this.#meter.charge(workMs, now)
    return workMs < SOME_WORK_MS ? 0 : pauseMs
  }
}

/**
 * Limits the messages of one connection that are not replies. A server that exceeds the limit is read more slowly,
 * because processing its messages delays the callers of other servers.
 */
export class Talk {
  readonly #attention: Attention
  readonly #ofNoCall = new Meter(messages)
  readonly #ofAllCalls = new Meter(inAll)

  constructor(attention: Attention) {
    this.#attention = attention
  }

  /** For messages outside any call, or when calls have no streams. Returns the pause in milliseconds. */
  spend({ text, workMs }: Said, now: number): number {
    return Math.max(this.#attention.spend(workMs, now), this.#ofNoCall.charge(costOf(text), now))
  }

  ofCall(): CallTalk {
    return new CallTalk(this.#attention, this.#ofAllCalls)
  }
}

/**
 * The same for one call with its own stream. A call is not charged for messages in other calls unless it receives many
 * itself, and all calls together share one limit.
 */
export class CallTalk {
  readonly #attention: Attention
  readonly #ofAllCalls: Meter
  readonly #little = new Meter(little)
  readonly #own = new Meter(messages)
  #pausedUntil = 0
  /** The total pause in milliseconds so far, including the current one. */
  pausedMs = 0

  constructor(attention: Attention, ofAllCalls: Meter) {
    this.#attention = attention
    this.#ofAllCalls = ofAllCalls
  }

  spend({ text, workMs }: Said, now: number): number {
    // The time budget has no free part for each call, because there may be any number of calls.
    const pauseMs = Math.max(this.#attention.spend(workMs, now), this.#payFor(costOf(text), now))
    this.#notePause(pauseMs, now)
    return pauseMs
  }

  #payFor(cost: number, now: number): number {
    if (this.#little.charge(cost, now) === 0) return 0
    return Math.max(this.#own.charge(cost, now), this.#ofAllCalls.charge(cost, now))
  }

  /** A server that never stops sending must not delay the call's timeout without limit. */
  #notePause(pauseMs: number, now: number): void {
    const longerMs = now + pauseMs - Math.max(now, this.#pausedUntil)
    if (longerMs > 0) {
      this.#pausedUntil = now + pauseMs
      this.pausedMs = Math.min(mostPausedMs, this.pausedMs + longerMs)
    }
  }
}

/** By the beginning that most servers write; parsing decides whether it really is a reply. */
function looksLikeAnswer(text: string): boolean {
  return text.startsWith('{"result":') || text.startsWith('{"jsonrpc":"2.0","id":')
}

function costOf(text: string): number {
  return 1 + text.length / (BATCH.test(text) ? SHORTEST_IN_BATCH : TEXT_FOR_ONE)
}

export function isLongerThanNotifications(text: string): boolean {
  return text.length > longestNotification
}

/** By its beginning, as most servers write it. */
export function isLogLine(text: string): boolean {
  return LOG_LINE.test(text)
}

/** Whether it is a notification too long to be useful. */
export function isTooLongToHear(text: string): boolean {
  return isLongerThanNotifications(text) && NOTIFICATION.test(text)
}

/** CPU time of this process so far, in all threads. */
export function readCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
