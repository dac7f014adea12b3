import { LIMITS } from './limits.ts'

/** How the wait for a slot ended: with a slot, or without one. */
export type Turn = 'granted' | 'full' | 'late' | 'cancelled'

/** The calls of one caller. */
interface Line {
  running: number
  /** Paused calls, which gave up their slot for a while. */
  resting: number
  /** Cancelled calls without a slot that the server may still be executing. */
  leftBehind: number
  /** The running call excludes others of the same caller. */
  isTakenAlone: boolean
  /** The size of all running and waiting calls. */
  size: number
  readonly waiting: Visitor[]
}

/** A place in the queue. Only the first two fields belong to the caller. */
export class Visitor {
  /** Runs without other calls of the same caller. */
  isAlone = false
  /** The memory that the waiting call takes. */
  size = 0
  line: Line | undefined
  isInside = false
  isResting = false
  isCancelled = false
  hasLeft = false
  deadline = Number.POSITIVE_INFINITY
  /** Undefined when the ticket is not queued. */
  leaveLine: (() => void) | undefined
  settle: ((turn: Turn) => void) | undefined

  /** Cancels the wait. A ticket that has a slot must still be released. */
  giveUp(): void {
    this.isCancelled = true
    this.leaveLine?.()
  }
}

/** A cancelled call that may still run until then. `ticket` is cleared when it ends, so that late callbacks keep no memory. */
interface Leftover {
  readonly until: number
  visitor: Visitor | undefined
}

/** How many calls may run and wait, and the most size for one caller. */
interface Room {
  readonly places: number
  readonly waiting: number
  readonly size?: number
}

const CLOCK_MS = 100
/** At so many callers the empty entries are removed. There are as many queues as servers. */
const MANY_LINES = 16
const { perCaller, whileOthersWait, leftBehind, leftBehindMs } = LIMITS.turns

/**
 * Runs a limited number of calls at once, queues a limited number and rejects the rest immediately. Callers take turns,
 * so a caller with many calls does not delay the others. One caller gets at most three quarters of the slots, and half
 * while others wait, so that slow calls of one caller cannot take all of them.
 *
 * @example
 * const turn = await queue.enter(ticket, 'agent:bot')
 * if (turn === 'granted') await work().finally(() => queue.release(ticket))
 */
export class FairQueue {
  readonly #room: Room
  readonly #lines = new Map<string, Line>()
  /** Callers with waiting calls; the first is next. */
  readonly #inTurn: Line[] = []
  /** Oldest first. */
  readonly #leftovers = new Set<Leftover>()
  #manyLines = MANY_LINES
  #running = 0
  #waiting = 0
  #clock: NodeJS.Timeout | undefined

  constructor(room: Room) {
    this.#room = room
  }

  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting }
  }

  /** How many callers are remembered, including those without calls. */
  get callers(): number {
    return this.#lines.size
  }

  /** A promise means that the ticket is queued. It resolves to `late` after `patienceMs` (0: no limit). */
  enter(visitor: Visitor, caller: string, patienceMs = 0): Promise<Turn> | Turn {
    if (visitor.isCancelled) return 'cancelled'
    const line = this.#lineOf(caller)
    visitor.line = line
    if (line.waiting.length === 0 && this.#hasRoomFor(visitor, line)) return this.#letIn(visitor, line)
    if (this.#isFull(line)) return 'full'
    visitor.deadline = patienceMs > 0 ? performance.now() + patienceMs : Number.POSITIVE_INFINITY
    return this.#queue(visitor, line, 'last')
  }

  /** Also valid for a ticket without a slot. */
  leave(visitor: Visitor): void {
    visitor.leaveLine?.()
    visitor.hasLeft = true
    this.#goOn(visitor)
    this.#letOut(visitor)
  }

  /**
   * Releases a cancelled call that the server may still be executing. A few such calls of one caller give up their slot
   * at once, so that cancelling is cheap; the others keep theirs. Returns the function to call when the server is done;
   * after the time in the limit the slot is released without it.
   */
  leaveBehind(visitor: Visitor): () => void {
    const { line, isInside } = visitor
    const hasFew = line !== undefined && line.leftBehind < atLeastOne(leftBehind * this.#room.places)
    if (!isInside || hasFew) this.leave(visitor)
    if (!isInside || line === undefined) return () => {}
    if (hasFew) line.leftBehind += 1
    const leftover: Leftover = { until: performance.now() + leftBehindMs, visitor }
    this.#leftovers.add(leftover)
    this.#startClock()
    return () => this.#forgetLeftover(leftover)
  }

  /** Gives up the slot for a while, because a call that waits for a person needs none. */
  rest(visitor: Visitor): void {
    if (!visitor.isInside || visitor.line === undefined) return
    visitor.isResting = true
    visitor.line.resting += 1
    this.#letOut(visitor)
  }

  /** Requests a slot again after a pause, before other calls of the same caller. Does nothing for a ticket that is already queued. */
  resume(visitor: Visitor): Promise<Turn> | Turn {
    const { line, leaveLine, isInside, hasLeft } = visitor
    const isInLine = leaveLine !== undefined
    if (line === undefined || hasLeft || isInside || isInLine) return 'cancelled'
    if (this.#hasRoomFor(visitor, line)) return this.#letIn(visitor, line)
    visitor.deadline = Number.POSITIVE_INFINITY
    return this.#queue(visitor, line, 'first')
  }

  /** Whether this caller's queue has space for `size` more. */
  hasRoomFor(caller: string, size: number): boolean {
    const line = this.#lines.get(caller)
    const before = line === undefined || line.waiting.length === 0 ? 0 : line.size
    return before + size <= (this.#room.size ?? Number.POSITIVE_INFINITY)
  }

  #lineOf(caller: string): Line {
    const known = this.#lines.get(caller)
    if (known !== undefined) return known
    if (this.#lines.size >= this.#manyLines) this.#forgetEmpty()
    const line: Line = { running: 0, resting: 0, leftBehind: 0, isTakenAlone: false, size: 0, waiting: [] }
    this.#lines.set(caller, line)
    return line
  }

  #forgetEmpty(): void {
    for (const [caller, { running, resting, leftBehind, waiting }] of this.#lines)
      if (running + resting + leftBehind + waiting.length === 0) this.#lines.delete(caller)
    // The remaining entries are in use, so the next cleanup waits until there are twice as many.
    this.#manyLines = Math.max(MANY_LINES, 2 * this.#lines.size)
  }

  #isFull(line: Line): boolean {
    const { waiting } = this.#room
    return this.#waiting >= waiting || line.waiting.length >= Math.ceil(perCaller * waiting)
  }

  #hasRoomFor(visitor: Visitor, line: Line): boolean {
    const { places } = this.#room
    const isInTheWay = line.running > 0 && (visitor.isAlone || line.isTakenAlone)
    return this.#running < places && line.running < Math.ceil(perCaller * places) && !isInTheWay
  }

  #letIn(visitor: Visitor, line: Line): 'granted' {
    this.#goOn(visitor)
    visitor.isInside = true
    line.isTakenAlone = visitor.isAlone
    line.size += visitor.size
    line.running += 1
    this.#running += 1
    return 'granted'
  }

  #letOut(visitor: Visitor): void {
    const { line } = visitor
    if (!visitor.isInside || line === undefined) return
    visitor.isInside = false
    line.isTakenAlone = false
    line.size -= visitor.size
    line.running -= 1
    this.#running -= 1
    this.#admit()
  }

  #goOn(visitor: Visitor): void {
    if (!visitor.isResting || visitor.line === undefined) return
    visitor.isResting = false
    visitor.line.resting -= 1
  }

  #queue(visitor: Visitor, line: Line, where: 'first' | 'last'): Promise<Turn> {
    if (line.waiting.length === 0) this.#inTurn.push(line)
    if (where === 'first') line.waiting.unshift(visitor)
    else line.waiting.push(visitor)
    line.size += visitor.size
    this.#waiting += 1
    if (visitor.deadline < Number.POSITIVE_INFINITY) this.#startClock()
    visitor.leaveLine = () => this.#sendOff(visitor, line, 'cancelled')
    return new Promise(settle => {
      visitor.settle = settle
    })
  }

  /** Gives free slots to waiting calls, caller by caller. */
  #admit(): void {
    while (this.#waiting > 0 && this.#running < this.#room.places) {
      const line = this.#next()
      const visitor = line?.waiting[0]
      if (line === undefined || visitor === undefined) return
      this.#letIn(visitor, line)
      this.#sendOff(visitor, line, 'granted')
      // This caller's next call comes after one of every other caller.
      if (line.waiting.length > 0) this.#inTurn.push(...this.#inTurn.splice(this.#inTurn.indexOf(line), 1))
    }
  }

  #next(): Line | undefined {
    const fair = atLeastOne(whileOthersWait * this.#room.places)
    const mayGoOn = (line: Line): boolean =>
      line.waiting[0] !== undefined && this.#hasRoomFor(line.waiting[0], line)
    const isModest = (line: Line): boolean => line.running < fair && mayGoOn(line)
    const modest = this.#inTurn.length > 1 ? this.#inTurn.find(isModest) : undefined
    return modest ?? this.#inTurn.find(mayGoOn)
  }

  #sendOff(visitor: Visitor, line: Line, turn: Turn): void {
    const at = line.waiting.indexOf(visitor)
    if (at < 0) return
    line.waiting.splice(at, 1)
    line.size -= visitor.size
    this.#waiting -= 1
    if (line.waiting.length === 0) this.#inTurn.splice(this.#inTurn.indexOf(line), 1)
    visitor.leaveLine = undefined
    visitor.settle?.(turn)
    // The next call may be able to run beside others even if this one was not.
    if (turn !== 'granted') this.#admit()
  }

  #forgetLeftover(leftover: Leftover): void {
    const { visitor } = leftover
    leftover.visitor = undefined
    this.#leftovers.delete(leftover)
    if (visitor?.isInside) this.leave(visitor)
    else if (visitor?.line !== undefined) visitor.line.leftBehind -= 1
  }

  /** One timer for all tickets: one for each would cost more than most calls take. */
  #startClock(): void {
    this.#clock ??= setInterval(() => this.#look(performance.now()), CLOCK_MS).unref()
  }

  #look(now: number): void {
    for (const leftover of this.#leftovers) {
      if (leftover.until > now) break
      this.#forgetLeftover(leftover)
    }
    for (const line of [...this.#inTurn])
      for (const visitor of [...line.waiting])
        if (visitor.deadline < now) this.#sendOff(visitor, line, 'late')
    if (this.#waiting + this.#leftovers.size > 0) return
    clearInterval(this.#clock)
    this.#clock = undefined
  }
}

function atLeastOne(count: number): number {
  return Math.max(1, Math.floor(count))
}
