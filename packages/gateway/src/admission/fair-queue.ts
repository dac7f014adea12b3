import { LIMITS } from './limits.ts'

/** How the wait for a slot ended: with a slot, or without one. */
export type Turn = 'granted' | 'full' | 'late' | 'cancelled'

/** One caller's running and waiting calls. */
interface CallerQueue {
  running: number
  /** Paused calls, which have given up their slot for now. */
  paused: number
  /** Cancelled calls without a slot that the server may still be executing. */
  abandoned: number
  /** True if the caller's running call must run alone, without the caller's other calls. */
  isExclusive: boolean
  /** The total size of all running and waiting calls. */
  size: number
  readonly waiting: Ticket[]
}

/** A place in the queue. Code outside the queue uses only the first two fields. */
export class Ticket {
  /** True if the call must run alone, without other calls by the same caller. */
  isAlone = false
  /** The memory that the call takes while it waits, in bytes. */
  size = 0
  ownQueue: CallerQueue | undefined
  hasSlot = false
  isPaused = false
  isCancelled = false
  isReleased = false
  deadline = Number.POSITIVE_INFINITY
  /** Removes the ticket from the queue. Undefined if it is not queued. */
  leaveQueue: (() => void) | undefined
  settle: ((turn: Turn) => void) | undefined

  /** Cancels the wait. If the ticket already has a slot, it must still be released. */
  stopWaiting(): void {
    this.isCancelled = true
    this.leaveQueue?.()
  }
}

/**
 * A cancelled call that counts as running until it ends or its time limit passes. `ticket` is cleared when the call
 * ends, because late callbacks would otherwise keep it in memory.
 */
interface AbandonedCall {
  readonly until: number
  ticket: Ticket | undefined
}

/** The number of calls that can run and wait, and the maximum total size of one caller's calls. */
interface Capacity {
  readonly slots: number
  readonly waiting: number
  readonly size?: number
}

const CLOCK_MS = 100
/**
 * Number of callers at which entries without calls are removed. It is small, because every server has its own queue.
 */
const MANY_QUEUES = 16
const { perCaller, whileOthersWait, abandoned, abandonedMs } = LIMITS.turns

/**
 * Runs a limited number of calls at the same time, queues a limited number and rejects the rest immediately. Callers
 * take turns, so a caller with many calls does not delay the others. One caller gets at most three quarters of the
 * slots, and half while others wait, so that its slow calls cannot take all slots.
 *
 * @example
 * const turn = await queue.enter(ticket, 'agent:bot')
 * if (turn === 'granted') await work().finally(() => queue.release(ticket))
 */
export class FairQueue {
  readonly #capacity: Capacity
  readonly #queues = new Map<string, CallerQueue>()
  /** The callers with waiting calls, in the order in which they get slots. */
  readonly #inTurn: CallerQueue[] = []
  /** Oldest first. */
  readonly #abandonedCalls = new Set<AbandonedCall>()
  #manyQueues = MANY_QUEUES
  #running = 0
  #waiting = 0
  #clock: NodeJS.Timeout | undefined

  constructor(capacity: Capacity) {
    this.#capacity = capacity
  }

  get load(): { readonly running: number; readonly waiting: number } {
    return { running: this.#running, waiting: this.#waiting }
  }

  /** The number of callers with an entry, including entries without calls. */
  get callers(): number {
    return this.#queues.size
  }

  /**
   * Requests a slot. A promise means that the ticket is queued; it resolves to `late` after `patienceMs` (0 means no
   * limit).
   */
  enter(ticket: Ticket, caller: string, patienceMs = 0): Promise<Turn> | Turn {
    if (ticket.isCancelled) return 'cancelled'
    const own = this.#queueOf(caller)
    ticket.ownQueue = own
    if (own.waiting.length === 0 && this.#canRun(ticket, own)) return this.#grant(ticket, own)
    if (this.#isFull(own)) return 'full'
    ticket.deadline = patienceMs > 0 ? performance.now() + patienceMs : Number.POSITIVE_INFINITY
    return this.#enqueue(ticket, own, 'last')
  }

  /** Gives up the ticket's slot, or its place in the queue. */
  release(ticket: Ticket): void {
    ticket.leaveQueue?.()
    ticket.isReleased = true
    this.#endPause(ticket)
    this.#freeSlot(ticket)
  }

  /**
   * Releases a cancelled call that the server might still be executing. A caller's first few such calls give up their
   * slots immediately, so that cancelling is cheap; further ones keep theirs. Returns the function to call when the
   * server is done. If that function is not called within the time limit, the slot is released anyway.
   */
  abandon(ticket: Ticket): () => void {
    const { ownQueue: own, hasSlot } = ticket
    const hasFew = own !== undefined && own.abandoned < atLeastOne(abandoned * this.#capacity.slots)
    if (!hasSlot || hasFew) this.release(ticket)
    if (!hasSlot || own === undefined) return () => {}
    if (hasFew) own.abandoned += 1
    const call: AbandonedCall = { until: performance.now() + abandonedMs, ticket }
    this.#abandonedCalls.add(call)
    this.#startClock()
    return () => this.#releaseAbandoned(call)
  }

  /** Gives up the slot until `resume`. A call that waits for a person needs no slot. */
  pause(ticket: Ticket): void {
    if (!ticket.hasSlot || ticket.ownQueue === undefined) return
    ticket.isPaused = true
    ticket.ownQueue.paused += 1
    this.#freeSlot(ticket)
  }

  /**
   * Requests a slot again after a pause, before other calls of the same caller. A ticket that is already queued keeps
   * its place.
   */
  resume(ticket: Ticket): Promise<Turn> | Turn {
    const { ownQueue: own, leaveQueue, hasSlot, isReleased } = ticket
    const isQueued = leaveQueue !== undefined
    if (own === undefined || isReleased || hasSlot || isQueued) return 'cancelled'
    if (this.#canRun(ticket, own)) return this.#grant(ticket, own)
    ticket.deadline = Number.POSITIVE_INFINITY
    return this.#enqueue(ticket, own, 'first')
  }

  /** True if this caller's queue has space for `size` more bytes. */
  hasSpaceFor(caller: string, size: number): boolean {
    const own = this.#queues.get(caller)
    const before = own === undefined || own.waiting.length === 0 ? 0 : own.size
    return before + size <= (this.#capacity.size ?? Number.POSITIVE_INFINITY)
  }

  #queueOf(caller: string): CallerQueue {
    const known = this.#queues.get(caller)
    if (known !== undefined) return known
    if (this.#queues.size >= this.#manyQueues) this.#removeIdle()
    const own: CallerQueue = { running: 0, paused: 0, abandoned: 0, isExclusive: false, size: 0, waiting: [] }
    this.#queues.set(caller, own)
    return own
  }

  #removeIdle(): void {
    for (const [caller, { running, paused, abandoned, waiting }] of this.#queues)
      if (running + paused + abandoned + waiting.length === 0) this.#queues.delete(caller)
    // The remaining entries are in use, so the next cleanup is due only when the queue has twice as many.
    this.#manyQueues = Math.max(MANY_QUEUES, 2 * this.#queues.size)
  }

  #isFull(own: CallerQueue): boolean {
    const { waiting } = this.#capacity
    return this.#waiting >= waiting || own.waiting.length >= Math.ceil(perCaller * waiting)
  }

  #canRun(ticket: Ticket, own: CallerQueue): boolean {
    const { slots } = this.#capacity
    const isBlocked = own.running > 0 && (ticket.isAlone || own.isExclusive)
    return this.#running < slots && own.running < Math.ceil(perCaller * slots) && !isBlocked
  }

  #grant(ticket: Ticket, own: CallerQueue): 'granted' {
    this.#endPause(ticket)
    ticket.hasSlot = true
    own.isExclusive = ticket.isAlone
    own.size += ticket.size
    own.running += 1
    this.#running += 1
    return 'granted'
  }

  #freeSlot(ticket: Ticket): void {
    const { ownQueue: own } = ticket
    if (!ticket.hasSlot || own === undefined) return
    ticket.hasSlot = false
    own.isExclusive = false
    own.size -= ticket.size
    own.running -= 1
    this.#running -= 1
    this.#admit()
  }

  #endPause(ticket: Ticket): void {
    if (!ticket.isPaused || ticket.ownQueue === undefined) return
    ticket.isPaused = false
    ticket.ownQueue.paused -= 1
  }

  #enqueue(ticket: Ticket, own: CallerQueue, where: 'first' | 'last'): Promise<Turn> {
    if (own.waiting.length === 0) this.#inTurn.push(own)
    if (where === 'first') own.waiting.unshift(ticket)
    else own.waiting.push(ticket)
    own.size += ticket.size
    this.#waiting += 1
    if (ticket.deadline < Number.POSITIVE_INFINITY) this.#startClock()
    ticket.leaveQueue = () => this.#dequeue(ticket, own, 'cancelled')
    return new Promise(settle => {
      ticket.settle = settle
    })
  }

  /** Gives free slots to waiting calls, caller by caller. */
  #admit(): void {
    while (this.#waiting > 0 && this.#running < this.#capacity.slots) {
      const own = this.#next()
      const ticket = own?.waiting[0]
      if (own === undefined || ticket === undefined) return
      this.#grant(ticket, own)
      this.#dequeue(ticket, own, 'granted')
      // Each other waiting caller gets a turn before this caller's next call.
      if (own.waiting.length > 0) this.#inTurn.push(...this.#inTurn.splice(this.#inTurn.indexOf(own), 1))
    }
  }

  #next(): CallerQueue | undefined {
    const fair = atLeastOne(whileOthersWait * this.#capacity.slots)
    const mayRun = (own: CallerQueue): boolean =>
      own.waiting[0] !== undefined && this.#canRun(own.waiting[0], own)
    const isModest = (own: CallerQueue): boolean => own.running < fair && mayRun(own)
    const modest = this.#inTurn.length > 1 ? this.#inTurn.find(isModest) : undefined
    return modest ?? this.#inTurn.find(mayRun)
  }

  #dequeue(ticket: Ticket, own: CallerQueue, turn: Turn): void {
    const at = own.waiting.indexOf(ticket)
    if (at < 0) return
    own.waiting.splice(at, 1)
    own.size -= ticket.size
    this.#waiting -= 1
    if (own.waiting.length === 0) this.#inTurn.splice(this.#inTurn.indexOf(own), 1)
    ticket.leaveQueue = undefined
    ticket.settle?.(turn)
    // The next call can perhaps run beside others even if this one could not.
    if (turn !== 'granted') this.#admit()
  }

  #releaseAbandoned(call: AbandonedCall): void {
    const { ticket } = call
    call.ticket = undefined
    this.#abandonedCalls.delete(call)
    if (ticket?.hasSlot) this.release(ticket)
    else if (ticket?.ownQueue !== undefined) ticket.ownQueue.abandoned -= 1
  }

  /** Starts one timer for all tickets, because a timer per ticket would cost more than most calls. */
  #startClock(): void {
    this.#clock ??= setInterval(() => this.#checkTimes(performance.now()), CLOCK_MS).unref()
  }

  #checkTimes(now: number): void {
    for (const call of this.#abandonedCalls) {
      if (call.until > now) break
      this.#releaseAbandoned(call)
    }
    for (const own of [...this.#inTurn])
      for (const ticket of [...own.waiting]) if (ticket.deadline < now) this.#dequeue(ticket, own, 'late')
    if (this.#waiting + this.#abandonedCalls.size > 0) return
    clearInterval(this.#clock)
    this.#clock = undefined
  }
}

function atLeastOne(count: number): number {
  return Math.max(1, Math.floor(count))
}
