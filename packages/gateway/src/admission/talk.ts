import { LIMITS } from './limits.ts'
import { Meter } from './meter.ts'

const { messages, little, inAll, workMs: work, mostPausedMs, longestNotification } = LIMITS.talk
/** Shorter processing times cause no pause, because they are within measurement noise. */
const SOME_WORK_MS = 1
/** Number of characters that are charged as one more message. */
const TEXT_FOR_ONE = 1024
/** Minimum length of a message in a batch, from which the maximum number of messages is estimated. */
const SHORTEST_IN_BATCH = 32

const BATCH = /^\s*\[/
const NOTIFICATION = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"\s*:\s*"notifications\//
const LOG_LINE = new RegExp(`${NOTIFICATION.source}message"`)

/** A server's message that is not a reply, and the time it took to process. */
interface Said {
  readonly text: string
  readonly workMs: number
}

/**
 * Limits the processing time that a server can take up with messages that are not replies. Once the time is used up,
 * further messages are dropped unread. The limit is checked before each message, because many can arrive together, and
 * a pause in reading would come too late for those.
 */
export class Attention {
  readonly #meter = new Meter(work)
  readonly #readCpuMs: (() => number) | undefined
  #cpuMs = 0

  /** `readCpuMs` reads the CPU clock. Without it, all elapsed time counts as work. */
  constructor(readCpuMs?: () => number) {
    this.#readCpuMs = readCpuMs
  }

  /** Call this before a message is processed. Replies are not charged, so the clock is not read for them. */
  begin(text: string): void {
    if (this.#readCpuMs !== undefined && !looksLikeAnswer(text)) this.#cpuMs = this.#readCpuMs()
  }

  /**
   * Returns how much of the elapsed time can have been this process's work. On a busy machine, other processes take
   * most of the time, which is not the server's fault.
   */
  workOf(tookMs: number): number {
    return this.#readCpuMs === undefined ? tookMs : Math.min(tookMs, this.#readCpuMs() - this.#cpuMs)
  }

  isSpent(now: number): boolean {
    return this.#meter.charge(0, now) > 0
  }

  /** Returns the number of milliseconds to pause reading from the server, or 0 if processing took hardly any time. */
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

  /**
   * Charges a message that belongs to no call, or any message if calls have no streams. Returns the pause in
   * milliseconds.
   */
  spend({ text, workMs }: Said, now: number): number {
    return Math.max(this.#attention.spend(workMs, now), this.#ofNoCall.charge(costOf(text), now))
  }

  ofCall(): CallTalk {
    return new CallTalk(this.#attention, this.#ofAllCalls)
  }
}

/**
 * Limits the messages of one call with its own stream. A call with few messages is never charged. A call with many is
 * charged against its own limit and against a limit that all calls share.
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
    // Calls have no free share of the processing time, because there can be any number of calls.
    const pauseMs = Math.max(this.#attention.spend(workMs, now), this.#payFor(costOf(text), now))
    this.#notePause(pauseMs, now)
    return pauseMs
  }

  #payFor(cost: number, now: number): number {
    if (this.#little.charge(cost, now) === 0) return 0
    return Math.max(this.#own.charge(cost, now), this.#ofAllCalls.charge(cost, now))
  }

  /**
   * Adds a pause to the total. The total is limited, because it extends the call's timeout, and a server might send
   * messages forever.
   */
  #notePause(pauseMs: number, now: number): void {
    const longerMs = now + pauseMs - Math.max(now, this.#pausedUntil)
    if (longerMs > 0) {
      this.#pausedUntil = now + pauseMs
      this.pausedMs = Math.min(mostPausedMs, this.pausedMs + longerMs)
    }
  }
}

/**
 * Guesses from a message's first characters whether it is a reply. Parsing the message later shows whether that is
 * right.
 */
function looksLikeAnswer(text: string): boolean {
  return text.startsWith('{"result":') || text.startsWith('{"jsonrpc":"2.0","id":')
}

function costOf(text: string): number {
  return 1 + text.length / (BATCH.test(text) ? SHORTEST_IN_BATCH : TEXT_FOR_ONE)
}

export function isLongerThanNotifications(text: string): boolean {
  return text.length > longestNotification
}

/** Recognises a log notification by its first characters, in the form that most servers send. */
export function isLogLine(text: string): boolean {
  return LOG_LINE.test(text)
}

/** True if a message is a notification that is too long to be useful. */
export function isTooLongToHear(text: string): boolean {
  return isLongerThanNotifications(text) && NOTIFICATION.test(text)
}

/** CPU time of this process so far, in all threads. */
export function readCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
