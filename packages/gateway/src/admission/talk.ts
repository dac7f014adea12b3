import { LIMITS } from './limits.ts'
import { Meter } from './meter.ts'

const { messages, little, inAll, workMs: work, mostPausedMs, longestNotification } = LIMITS.talk
/** Less is what the machine does beside us. */
const SOME_WORK_MS = 1
/** So much text is as much work as one more message. */
const TEXT_FOR_ONE = 1024
/** In a batch there is a message for every so many characters, at most. */
const SHORTEST_IN_BATCH = 32

const BATCH = /^\s*\[/
const NOTIFICATION = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"\s*:\s*"notifications\//
const LOG_LINE = new RegExp(`${NOTIFICATION.source}message"`)

/** Something that a server said and that answers nothing, and how long it kept us busy. */
interface Said {
  readonly text: string
  readonly workMs: number
}

/**
 * How long a server may keep us busy with what answers nothing. What it says when that is used up is not looked at, and so
 * not passed on; that is asked before, because many things come in at once and a pause would be too late for them.
 */
export class Attention {
  readonly #meter = new Meter(work)
  readonly #readCpuMs: (() => number) | undefined
  #cpuMs = 0

  /** Without a clock for the work of this process all time that passes is taken for work. */
  constructor(readCpuMs?: () => number) {
    this.#readCpuMs = readCpuMs
  }

  /** Before something is looked at. Answers are not charged, and need no such look at the clock. */
  begin(text: string): void {
    if (this.#readCpuMs !== undefined && !looksLikeAnswer(text)) this.#cpuMs = this.#readCpuMs()
  }

  /**
   * How much of the time that something took was work, at most. On a busy machine others have the processor for most of it, and
   * a server is not to blame for them.
   */
  workOf(tookMs: number): number {
    return this.#readCpuMs === undefined ? tookMs : Math.min(tookMs, this.#readCpuMs() - this.#cpuMs)
  }

  isSpent(now: number): boolean {
    return this.#meter.charge(0, now) > 0
  }

  /** Gives for how long the server is to wait: not at all where this took hardly any time. */
  spend(workMs: number, now: number): number {
    const pauseMs = this.#meter.charge(workMs, now)
    return workMs < SOME_WORK_MS ? 0 : pauseMs
  }
}

/**
 * How much a server may say over one connection that answers nothing. Whoever says more is listened to later. Everything a
 * server says is work that keeps the callers of other servers waiting.
 */
export class Talk {
  readonly #attention: Attention
  readonly #ofNoCall = new Meter(messages)
  readonly #ofAllCalls = new Meter(inAll)

  constructor(attention: Attention) {
    this.#attention = attention
  }

  /** Of no call, or where calls have no streams. Gives for how many milliseconds the server is not to be heard. */
  spend({ text, workMs }: Said, now: number): number {
    return Math.max(this.#attention.spend(workMs, now), this.#ofNoCall.charge(costOf(text), now))
  }

  ofCall(): CallTalk {
    return new CallTalk(this.#attention, this.#ofAllCalls)
  }
}

/**
 * The same for one call that has a stream to itself. Nobody pays for what the server says in the calls of others, unless it
 * says much in this one, too; and however many calls there are, the server says no more than all of them together may.
 */
export class CallTalk {
  readonly #attention: Attention
  readonly #ofAllCalls: Meter
  readonly #little = new Meter(little)
  readonly #own = new Meter(messages)
  #pausedUntil = 0
  /** For how long nobody listened to it, so far and until the pause is over. */
  pausedMs = 0

  constructor(attention: Attention, ofAllCalls: Meter) {
    this.#attention = attention
    this.#ofAllCalls = ofAllCalls
  }

  spend({ text, workMs }: Said, now: number): number {
    // Of everybody's time no call has a little for nothing: there may be any number of them.
    const pauseMs = Math.max(this.#attention.spend(workMs, now), this.#payFor(costOf(text), now))
    this.#notePause(pauseMs, now)
    return pauseMs
  }

  #payFor(cost: number, now: number): number {
    if (this.#little.charge(cost, now) === 0) return 0
    return Math.max(this.#own.charge(cost, now), this.#ofAllCalls.charge(cost, now))
  }

  /** A server that talks on and on must not keep a call from its end. */
  #notePause(pauseMs: number, now: number): void {
    const longerMs = now + pauseMs - Math.max(now, this.#pausedUntil)
    if (longerMs > 0) {
      this.#pausedUntil = now + pauseMs
      this.pausedMs = Math.min(mostPausedMs, this.pausedMs + longerMs)
    }
  }
}

/** As most servers begin one; whether it is some is told by reading it. */
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

/** Whether it is a notification that nobody would read. */
export function isTooLongToHear(text: string): boolean {
  return isLongerThanNotifications(text) && NOTIFICATION.test(text)
}

/** What this process has worked so far, in all its threads. */
export function readCpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}
