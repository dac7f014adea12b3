/** Two thousand messages a second, and as many at once. */
const USUAL: Rate = { perSecond: 2000, atOnce: 2000, longestS: 10, restForWork: 10 }
/** What every call may say, whatever others say: a word on how far it is, and some lines of a log. */
const LITTLE: Rate = { perSecond: 10, atOnce: 50, longestS: 10, restForWork: 100 }
/**
 * What a server may say in all its calls together: enough that one loud call leaves most of it to the others. They are all
 * heard once more when the pause is over, so that it is long after many.
 */
const TOGETHER: Rate = { perSecond: 8000, atOnce: 8000, longestS: 30, restForWork: 10 }
/** Lines of event streams that bring nothing: comments, fields that nobody knows, events without data. */
const NOISE: Rate = { perSecond: 10_000, atOnce: 20_000, longestS: 10, restForWork: 10 }
/**
 * Milliseconds for what a server says unasked, in all its calls and connections together. Nothing else is done meanwhile, so
 * that it is a small part of all the time, and at once no more than others hardly notice.
 */
const ATTENTION: Rate = { perSecond: 100, atOnce: 100, longestS: 3, restForWork: 1 }
/** Less is what the machine does beside us. */
const SOME_WORK_MS = 1
/** A server that talks on and on must not keep a call from its end. */
const MOST_PAUSED_MS = 60_000
/** So much text is as much work as one more message. */
const TEXT_FOR_ONE = 1024
/** In a batch there is a message for every so many characters, at most. */
const SHORTEST_IN_BATCH = 32
const LONGEST_NOTIFICATION = 64 * 1024

const BATCH = /^\s*\[/
const NOTIFICATION = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"method"\s*:\s*"notifications\//

const LOG_LINE = new RegExp(`${NOTIFICATION.source}message"`)

interface Rate {
  readonly perSecond: number
  readonly atOnce: number
  /** Nobody is left waiting for longer, whatever was said. */
  readonly longestS: number
  /** Whoever is much work is not heard for so many times as long. */
  readonly restForWork: number
}

/**
 * How much a server may say that answers nothing. Whoever says more is listened to later. Everything a server says is work
 * that keeps the callers of other servers waiting.
 */
export class Pace {
  readonly #rate: Rate
  #left: number
  #since = 0

  constructor(rate = USUAL) {
    this.#rate = rate
    this.#left = rate.atOnce
  }

  /**
   * The server said this, and it took us so long; gives for how many milliseconds it is to wait before it is heard again,
   * mostly none.
   */
  spend(text: string, now: number, workMs = 0): number {
    const { restForWork, perSecond } = this.#rate
    const work = workMs < SOME_WORK_MS ? 0 : (workMs * restForWork * perSecond) / 1000
    return this.charge(Math.max(costOf(text), work), now)
  }

  charge(cost: number, now: number): number {
    const { perSecond, atOnce, longestS } = this.#rate
    this.#left = Math.min(atOnce, this.#left + ((now - this.#since) * perSecond) / 1000)
    this.#since = now
    this.#left = Math.max(-longestS * perSecond, this.#left - cost)
    return this.#left >= 0 ? 0 : Math.ceil((-this.#left * 1000) / perSecond)
  }
}

/** For lines that bring nothing, in all streams of a server. */
export function createNoisePace(): Pace {
  return new Pace(NOISE)
}

/** What a server says in all its calls that have a stream each. */
export function createSharedPace(): Pace {
  return new Pace(TOGETHER)
}

/**
 * How long a server may keep us busy with what answers nothing. What it says when that is used up is not looked at, and so
 * not passed on; that is asked before, because many things come in at once and a pause would be too late for them.
 */
export class Attention {
  readonly #pace = new Pace(ATTENTION)
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
    return this.#pace.charge(0, now) > 0
  }

  /** Gives for how long the server is to wait: not at all where this took hardly any time. */
  spend(workMs: number, now: number): number {
    const pauseMs = this.#pace.charge(workMs, now)
    return workMs < SOME_WORK_MS ? 0 : pauseMs
  }
}

/**
 * The same for one call that has a stream to itself. Nobody pays for what the server says in the calls of others, unless it
 * says much in this one, too; and however many calls there are, the server says no more than all of them together may.
 */
export class StreamPace {
  readonly #little = new Pace(LITTLE)
  readonly #own = new Pace()
  readonly #shared: Pace
  readonly #attention: Attention
  #pausedUntil = 0
  /** For how long nobody listened to it, so far and until the pause is over. */
  pausedMs = 0

  constructor(shared: Pace, attention: Attention) {
    this.#shared = shared
    this.#attention = attention
  }

  spend(text: string, now: number, workMs = 0): number {
    // Of everybody's time no call has a little for nothing: there may be any number of them.
    const pauseMs = Math.max(this.#attention.spend(workMs, now), this.#payFor(text, now, workMs))
    this.#notePause(pauseMs, now)
    return pauseMs
  }

  #payFor(text: string, now: number, workMs: number): number {
    if (this.#little.spend(text, now, workMs) === 0) return 0
    return Math.max(this.#own.spend(text, now, workMs), this.#shared.spend(text, now, workMs))
  }

  #notePause(pauseMs: number, now: number): void {
    const longerMs = now + pauseMs - Math.max(now, this.#pausedUntil)
    if (longerMs > 0) {
      this.#pausedUntil = now + pauseMs
      this.pausedMs = Math.min(MOST_PAUSED_MS, this.pausedMs + longerMs)
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
  return text.length > LONGEST_NOTIFICATION
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
