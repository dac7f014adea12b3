/** How a place in the line was left: with a turn, or without one. */
export type Turn = 'granted' | 'full' | 'late' | 'cancelled'

/** Who comes to the gate, and is given a way to leave the line. The rest is the gate's. */
export interface Visitor {
  leaveLine: (() => void) | undefined
  line: Line | undefined
  isInside: boolean
  isResting?: boolean
  /** By whoever sent it. */
  isCancelled?: boolean
  hasLeft: boolean
}

/** What one caller has at the gate. */
export interface Line {
  running: number
  /** Of those who gave up their place for a while. */
  resting: number
  /** Called off, without a place, and perhaps not over yet. */
  leftBehind: number
  readonly waiting: Place[]
}

interface Place {
  readonly visitor: Visitor
  readonly deadline: number
  readonly resolve: (turn: Turn) => void
}

const CLOCK_MS = 100
/** So many lines that it is worth looking which are empty. There are as many gates as servers. */
const MANY_LINES = 16

/**
 * Lets a number of calls run at once and a number wait; the rest is told so at once. Callers take turns: nobody has to
 * wait for all that somebody else has asked for. Three quarters of the places is the most that one caller is given, and
 * half while others wait, so that whoever takes long does not take everything.
 */
export class Gate {
  readonly #limit: number
  readonly #maxWaiting: number
  readonly #lines = new Map<string, Line>()
  /** Lines in which somebody waits; the first one is next. */
  readonly #inTurn: Line[] = []
  #manyLines = MANY_LINES
  #running = 0
  #waiting = 0
  #clock: NodeJS.Timeout | undefined

  constructor(limit: number, maxWaiting: number) {
    this.#limit = limit
    this.#maxWaiting = maxWaiting
  }

  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting }
  }

  /** How many callers are remembered, those included who have nothing here any more. */
  get callers(): number {
    return this.#lines.size
  }

  /** A promise means: wait for your turn, which is `late` when it did not come within so many milliseconds (0: ever). */
  enter(visitor: Visitor, caller: string, patienceMs: number): Promise<Turn> | Turn {
    const line = this.#lineOf(caller)
    visitor.line = line
    if (this.#hasRoomFor(line)) return this.#letIn(visitor, line)
    if (this.#waiting >= this.#maxWaiting || line.waiting.length >= mostOf(this.#maxWaiting)) return 'full'
    const deadline = patienceMs > 0 ? performance.now() + patienceMs : Number.POSITIVE_INFINITY
    return new Promise(resolve => this.#queue(line, { visitor, deadline, resolve }))
  }

  leave(visitor: Visitor): void {
    visitor.leaveLine?.()
    visitor.hasLeft = true
    this.#goOn(visitor)
    this.#letOut(visitor)
  }

  /**
   * For a call that was called off: its server may go on with it. Some of one caller may do so without a place, so that who
   * thinks better of one need not wait; the others keep theirs. Gives what is to be called when the server is done.
   */
  leaveBehind(visitor: Visitor): () => void {
    const { line, isInside } = visitor
    const isOneTooMany = line !== undefined && line.leftBehind >= mostLeftBehind(this.#limit)
    if (isInside && isOneTooMany) return () => this.leave(visitor)
    this.leave(visitor)
    if (!isInside || line === undefined) return () => {}
    line.leftBehind += 1
    return () => {
      line.leftBehind -= 1
    }
  }

  /** Gives up the place for a while: whoever waits for a person needs none. */
  rest(visitor: Visitor): void {
    if (!visitor.isInside || visitor.line === undefined) return
    visitor.isResting = true
    visitor.line.resting += 1
    this.#letOut(visitor)
  }

  #goOn(visitor: Visitor): void {
    if (visitor.isResting !== true || visitor.line === undefined) return
    visitor.isResting = false
    visitor.line.resting -= 1
  }

  #letOut(visitor: Visitor): void {
    if (!visitor.isInside || visitor.line === undefined) return
    visitor.isInside = false
    visitor.line.running -= 1
    this.#running -= 1
    this.#admit()
  }

  /** Goes on after a rest, before the others of the same caller. Who stands in line for it already stands there once. */
  resume(visitor: Visitor): Promise<Turn> | Turn {
    const { line, leaveLine } = visitor
    const isInLine = leaveLine !== undefined
    if (line === undefined || visitor.hasLeft || visitor.isInside || isInLine) return 'cancelled'
    if (this.#hasRoomFor(line)) return this.#letIn(visitor, line)
    const deadline = Number.POSITIVE_INFINITY
    return new Promise(resolve => this.#queue(line, { visitor, deadline, resolve }, 'first'))
  }

  #lineOf(caller: string): Line {
    const known = this.#lines.get(caller)
    if (known !== undefined) return known
    if (this.#lines.size >= this.#manyLines) this.#forgetEmpty()
    const line: Line = { running: 0, resting: 0, leftBehind: 0, waiting: [] }
    this.#lines.set(caller, line)
    return line
  }

  #forgetEmpty(): void {
    for (const [caller, { running, resting, leftBehind, waiting }] of this.#lines)
      if (running + resting + leftBehind + waiting.length === 0) this.#lines.delete(caller)
    // Who is left is there for a reason; to look again at once would only take time.
    this.#manyLines = Math.max(MANY_LINES, 2 * this.#lines.size)
  }

  #hasRoomFor(line: Line): boolean {
    return this.#running < this.#limit && line.running < mostOf(this.#limit)
  }

  #letIn(visitor: Visitor, line: Line): 'granted' {
    this.#goOn(visitor)
    visitor.isInside = true
    line.running += 1
    this.#running += 1
    return 'granted'
  }

  #queue(line: Line, place: Place, where: 'first' | 'last' = 'last'): void {
    if (line.waiting.length === 0) this.#inTurn.push(line)
    if (where === 'first') line.waiting.unshift(place)
    else line.waiting.push(place)
    this.#waiting += 1
    this.#clock ??= setInterval(() => this.#sendOffLate(performance.now()), CLOCK_MS).unref()
    place.visitor.leaveLine = () => this.#sendOff(line, place, 'cancelled')
  }

  /** Places became free: whoever is next, caller by caller. */
  #admit(): void {
    while (this.#waiting > 0 && this.#running < this.#limit) {
      const line = this.#next()
      const place = line?.waiting[0]
      if (line === undefined || place === undefined) return
      this.#letIn(place.visitor, line)
      this.#sendOff(line, place, 'granted')
      // Its next one comes after one of everybody else.
      if (line.waiting.length > 0) this.#inTurn.push(...this.#inTurn.splice(this.#inTurn.indexOf(line), 1))
    }
  }

  #next(): Line | undefined {
    const fair = Math.max(1, Math.floor(this.#limit / 2))
    const modest = this.#inTurn.length > 1 ? this.#inTurn.find(({ running }) => running < fair) : undefined
    return modest ?? this.#inTurn.find(({ running }) => running < mostOf(this.#limit))
  }

  #sendOff(line: Line, place: Place, turn: Turn): void {
    const at = line.waiting.indexOf(place)
    if (at < 0) return
    line.waiting.splice(at, 1)
    this.#waiting -= 1
    if (line.waiting.length === 0) this.#inTurn.splice(this.#inTurn.indexOf(line), 1)
    if (this.#waiting === 0) {
      clearInterval(this.#clock)
      this.#clock = undefined
    }
    place.visitor.leaveLine = undefined
    place.resolve(turn)
  }

  #sendOffLate(now: number): void {
    for (const line of [...this.#inTurn])
      for (const place of [...line.waiting]) if (place.deadline < now) this.#sendOff(line, place, 'late')
  }
}

/** With the places that one caller may have, as many as there are. */
function mostLeftBehind(places: number): number {
  return Math.max(1, Math.floor(places / 4))
}

/** What one caller may have of what there is for all. */
function mostOf(places: number): number {
  return places - Math.floor(places / 4)
}
