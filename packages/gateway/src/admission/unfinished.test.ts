import { describe, expect, it } from 'vitest'
import { type Holder, Unfinished } from './unfinished.ts'

const KB = 1024

class Answer implements Holder {
  held = 0
  isOver = false
  readonly #all: Unfinished

  constructor(all: Unfinished) {
    this.#all = all
  }

  take(bytes: number): boolean {
    this.held += bytes
    return this.#all.hold(this, bytes)
  }

  giveUp(): void {
    this.isOver = true
    const { held } = this
    this.held = 0
    this.#all.hold(this, -held)
  }
}

describe('answers that have not arrived completely', () => {
  it('share one budget, and the longest one makes room for others', () => {
    const all = new Unfinished(1000 * KB)
    const [long, longer, short] = [new Answer(all), new Answer(all), new Answer(all)]
    expect([long.take(400 * KB), longer.take(550 * KB), short.take(40 * KB)]).toEqual([true, true, true])
    expect(short.take(20 * KB)).toBe(true)
    expect([long.isOver, longer.isOver, short.isOver]).toEqual([false, true, false])
    expect(short.take(500 * KB)).toBe(true)
  })

  it('are refused further memory if no other answer is longer', () => {
    const all = new Unfinished(1000 * KB)
    const [long, short] = [new Answer(all), new Answer(all)]
    expect(short.take(60 * KB)).toBe(true)
    expect(long.take(960 * KB)).toBe(false)
    long.giveUp()
    expect(short.take(900 * KB)).toBe(true)
  })
})
