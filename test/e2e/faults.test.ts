import { afterAll, describe, expect, it } from 'vitest'
import { CrashRounds } from '../faults/crash-rounds.ts'
import { cleanUp } from '../support/clean-up.ts'

/** `npm run test:faults` asks for more, and wants to see what came of it. */
const { HINTGATE_FAULT_ROUNDS: asked } = process.env
const ROUNDS = Number(asked ?? 3)

afterAll(cleanUp, 60_000)

describe('a gateway that is killed under load', () => {
  it(
    `loses nothing, does nothing twice and leaves nothing open (${ROUNDS} times)`,
    async () => {
      const rounds = await CrashRounds.prepare()
      for (let round = 0; round < ROUNDS; round++) {
        await rounds.round(round)
        if (asked !== undefined && round % 10 === 9) process.stderr.write(`round ${round + 1} of ${ROUNDS}\n`)
      }
      const { lost, ...tried } = await rounds.finish()
      if (asked !== undefined) console.table([{ ...tried, lost: lost.length }])
      expect(lost).toEqual([])
      expect(tried.rounds).toBe(ROUNDS)
      // A round in which nothing happens proves nothing.
      expect(tried.executed).toBeGreaterThan(ROUNDS)
      expect(tried.approved).toBeGreaterThan(0)
    },
    60_000 + ROUNDS * 20_000,
  )
})
