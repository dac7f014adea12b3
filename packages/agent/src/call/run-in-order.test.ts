import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runLimited, takeTurns } from './run-in-order.ts'

describe('turns', () => {
  it('group neighbouring reads and run everything else alone', () => {
    expect(takeTurns([true, true, false, true, false, false])).toEqual([
      { isParallel: true, indices: [0, 1] },
      { isParallel: false, indices: [2] },
      { isParallel: true, indices: [3] },
      { isParallel: false, indices: [4] },
      { isParallel: false, indices: [5] },
    ])
  })

  it('never drop, duplicate or reorder a call', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean()), isRead => {
        const turns = takeTurns(isRead)
        expect(turns.flatMap(({ indices }) => indices)).toEqual(isRead.map((_, index) => index))
        for (const { isParallel, indices } of turns) {
          expect(indices.every(index => isRead[index] === isParallel)).toBe(true)
          if (!isParallel) expect(indices).toHaveLength(1)
        }
      }),
    )
  })
})

describe('runLimited', () => {
  it('runs every job once, and never exceeds the limit', async () => {
    let running = 0
    let most = 0
    const done: number[] = []
    const jobs = Array.from({ length: 20 }, (_, index) => async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise(resolve => setTimeout(resolve, index % 3))
      running -= 1
      done.push(index)
    })
    await runLimited(jobs, 4)
    expect(most).toBe(4)
    expect(done.toSorted((a, b) => a - b)).toEqual(jobs.map((_, index) => index))
  })
})
