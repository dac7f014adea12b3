import { LIMITS } from './limits.ts'

/** How a place in the line was left: with a turn, or without one. */
export type Turn = 'granted' | 'full' | 'late' | 'cancelled'

/** What one caller has here. */
interface Line {
  running: number
  /** Of those who gave up their place for a while. */
  resting: number
  /** Called off, without a place, and perhaps not over yet. */
  leftBehind: number
  /** Whoever runs now lets nobody of the same line in beside it. */
  isTakenAlone: boolean
  /** Of those who run and those who wait. */
  size: number
  readonly waiting: Visitor[]
}

/** Who comes for a turn. All but the first two is kept by the queue. */
export class Visitor {
  /** Runs without others of the same caller. */
  isAlone = false
  /** What it takes to keep it waiting. */
  size = 0
  line: Line | undefined
  isInside = false
  isResting = false
  isCancelled = false
  hasLeft = false
  deadline = Number.POSITIVE_INFINITY
  /** Undefined for who does not stand in line. */
  leaveLine: (() => void) | undefined
  settle: ((turn: Turn) => void) | undefined

  /** Does not want a turn any more. Whoever has one gives it back with `leave`. */
  giveUp(): void {
    this.isCancelled = true
    this.leaveLine?.()
  }
}

/** Of who was called off, and may go on until then. Whoever remembers it for longer is not to remember the visitor. */
interface Leftover {
  readonly until: number
  visitor: Visitor | undefined
}

/** So many run at once, so many wait, and so much of one caller. */
interface Room {
  readonly places: number
  readonly waiting: number
  readonly size?: number
}

const CLOCK_MS = 100
/** So many lines that it is worth looking which are empty. There are as many queues as servers. */
const MANY_LINES = 16
const { perCaller, whileOthersWait, leftBehind, leftBehindMs } = LIMITS.turns

/**
 * Lets a number of visitors run at once and a number wait; the rest is told so at once. Callers take turns: nobody has to
 * wait for all that somebody else has asked for. Three quarters of the places is the most that one caller is given, and
 * half while others wait, so that whoever takes long does not take everything.
 *
 * @example
 * const turn = await queue.enter(visitor, 'agent:bot')
 * if (turn === 'granted') await work().finally(() => queue.leave(visitor))
 */
export class FairQueue {
  readonly #room: Room
  readonly #lines = new Map<string, Line>()
  /** Lines in which somebody waits; the first one is next. */
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

  /** How many callers are remembered, those included who have nothing here any more. */
  get callers(): number {
    return this.#lines.size
  }

  /** A promise means: wait for your turn, which is `late` when it did not come within so many milliseconds (0: ever). */
  enter(visitor: Visitor, caller: string, patienceMs = 0): Promise<Turn> | Turn {
    if (visitor.isCancelled) return 'cancelled'
    const line = this.#lineOf(caller)
    visitor.line = line
    if (line.waiting.length === 0 && this.#hasRoomFor(visitor, line)) return this.#letIn(visitor, line)
    if (this.#isFull(line)) return 'full'
    visitor.deadline = patienceMs > 0 ? performance.now() + patienceMs : Number.POSITIVE_INFINITY
    return this.#queue(visitor, line, 'last')
  }

  /** Also where it has no turn (any more). */
  leave(visitor: Visitor): void {
    visitor.leaveLine?.()
    visitor.hasLeft = true
    this.#goOn(visitor)
    this.#letOut(visitor)
  }

  /**
   * For who was called off: what it set off may go on. Some of one caller may do so without a place, so that who thinks
   * better of one need not wait; the others keep theirs. Gives what is to be called when it is over; nobody waits longer
   * for that than the limit says.
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

  /** Gives up the place for a while: whoever waits for a person needs none. */
  rest(visitor: Visitor): void {
    if (!visitor.isInside || visitor.line === undefined) return
    visitor.isResting = true
    visitor.line.resting += 1
    this.#letOut(visitor)
  }

  /** Goes on after a rest, before the others of the same caller. Who stands in line for it already stands there once. */
  resume(visitor: Visitor): Promise<Turn> | Turn {
    const { line, leaveLine, isInside, hasLeft } = visitor
    const isInLine = leaveLine !== undefined
    if (line === undefined || hasLeft || isInside || isInLine) return 'cancelled'
    if (this.#hasRoomFor(visitor, line)) return this.#letIn(visitor, line)
    visitor.deadline = Number.POSITIVE_INFINITY
    return this.#queue(visitor, line, 'first')
  }

  /** Whether so much more of this caller may wait. */
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
    // Who is left is there for a reason; to look again at once would only take time.
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

  /** Places became free: whoever is next, caller by caller. */
  #admit(): void {
    while (this.#waiting > 0 && this.#running < this.#room.places) {
      const line = this.#next()
      const visitor = line?.waiting[0]
      if (line === undefined || visitor === undefined) return
      this.#letIn(visitor, line)
      this.#sendOff(visitor, line, 'granted')
      // Its next one comes after one of everybody else.
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
    // Whoever is next may run beside those who do, as this one could not.
    if (turn !== 'granted') this.#admit()
  }

  #forgetLeftover(leftover: Leftover): void {
    const { visitor } = leftover
    leftover.visitor = undefined
    this.#leftovers.delete(leftover)
    if (visitor?.isInside) this.leave(visitor)
    else if (visitor?.line !== undefined) visitor.line.leftBehind -= 1
  }

  /** One for all who wait: a timer for each would cost more than most of them take. */
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
