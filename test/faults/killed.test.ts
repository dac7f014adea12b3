import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { TEST_MS } from '../support/patience.ts'
import { hasPostgres, openDatabase } from '../support/postgres.ts'
import { CrashRounds, type Setup } from './crash-rounds.ts'
import { reportFault } from './report-fault.ts'

/** `npm run test:faults` sets more rounds and prints a report. */
const { HINTGATE_FAULT_ROUNDS: asked } = process.env
const ROUNDS = Number(asked ?? 3)
const PATIENCE_MS = TEST_MS + ROUNDS * 20_000

afterAll(cleanUp)

async function killAgainAndAgain(fault: string, setup: Setup): Promise<void> {
  const rounds = await CrashRounds.prepare(setup)
  for (let round = 0; round < ROUNDS; round++) {
    await rounds.round(round)
    if (asked !== undefined && round % 10 === 9)
      process.stderr.write(`${fault}: round ${round + 1} of ${ROUNDS}\n`)
  }
  const { lost, ...tried } = await rounds.finish()
  reportFault({ fault, tried: inWords(tried), lost })
  expect(lost).toEqual([])
  expect(tried.rounds).toBe(ROUNDS)
  // A round without executed calls proves nothing.
  expect(tried.executed).toBeGreaterThan(ROUNDS)
  expect(tried.approved).toBeGreaterThan(0)
}

function inWords(tried: Readonly<Record<string, number>>): string {
  return Object.entries(tried)
    .map(([what, count]) => `${count} ${what.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)}`)
    .join(', ')
}

describe('a gateway that is killed under load', () => {
  it(
    `loses nothing, repeats nothing and leaves nothing open (${ROUNDS} times)`,
    () => killAgainAndAgain('kill -9 under load, SQLite', { replicas: 1 }),
    PATIENCE_MS,
  )
})

describe.skipIf(!hasPostgres())('one of two gateways on one PostgreSQL that is killed under load', () => {
  it(
    `loses nothing, repeats nothing, leaves nothing open, and does not affect the other one (${ROUNDS} times)`,
    async () => {
      const { url: store } = await openDatabase()
      await killAgainAndAgain('kill -9 of one of two replicas under load, PostgreSQL', { replicas: 2, store })
    },
    PATIENCE_MS,
  )
})
