import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { TEST_MS } from '../support/patience.ts'
import { hasPostgres, openDatabase } from '../support/postgres.ts'
import type { Setup } from './crash-rounds.ts'
import { reportFault } from './report-fault.ts'
import { TaskRounds } from './task-rounds.ts'

/** `npm run test:faults` sets more rounds and prints a report. */
const { HINTGATE_FAULT_ROUNDS: asked } = process.env
const ROUNDS = Number(asked ?? 1)
const PATIENCE_MS = TEST_MS + ROUNDS * 20_000

afterAll(cleanUp)

async function killAgainAndAgain(fault: string, setup: Setup): Promise<void> {
  const rounds = await TaskRounds.prepare(setup)
  for (let round = 0; round < ROUNDS; round++) {
    await rounds.round(round)
    if (asked !== undefined && round % 10 === 9)
      process.stderr.write(`${fault}: round ${round + 1} of ${ROUNDS}\n`)
  }
  const { lost, ...tried } = await rounds.finish()
  const words = Object.entries(tried).map(([what, count]) => `${count} ${what}`)
  reportFault({ fault, tried: words.join(', '), lost })
  expect(lost).toEqual([])
  expect(tried.rounds).toBe(ROUNDS)
  // Half of the calls wait for a person during every kill, and none of those may be lost.
  expect(tried.completed).toBeGreaterThanOrEqual(tried.tasks / 2)
}

describe('a gateway that is killed while its tasks wait or run', () => {
  it(
    `loses no task and executes none twice (${ROUNDS} times)`,
    () => killAgainAndAgain('kill -9 with open tasks, SQLite', { replicas: 1 }),
    PATIENCE_MS,
  )
})

describe.skipIf(!hasPostgres())('one of two gateways that is killed while its tasks wait or run', () => {
  it(
    `loses no task, and the other gateway executes none twice (${ROUNDS} times)`,
    async () => {
      const { url: store } = await openDatabase()
      await killAgainAndAgain('kill -9 of one of two replicas with open tasks, PostgreSQL', {
        replicas: 2,
        store,
      })
    },
    PATIENCE_MS,
  )
})
