import { expect } from 'vitest'
import type { TestCorridor, Walk } from './corridor.ts'
import { ORDER, type Step } from './watch-deps.ts'

export interface End {
  /** The last step that the call took. Absent if it took none. */
  readonly last?: (typeof ORDER)[number] | undefined
  /** Steps that are repeated after the last step. */
  readonly more?: readonly Step[]
  readonly code: string | number
  /** The expected values of the row that ends the call. */
  readonly row: readonly [verdict: string, outcome: string, attempts: number]
  /** True if the intent was recorded. */
  readonly hasIntent?: boolean
  /** Other callers' calls that reached the server. */
  readonly others?: readonly string[]
}

/**
 * Checks that a call ended after a certain step: it took no later step, is in the log once, and did not reach the
 * server.
 */
export async function expectEnd(
  corridor: TestCorridor,
  walk: Walk,
  { last, more = [], code, row, hasIntent = false, others = [] }: End,
): Promise<void> {
  const until = last === undefined ? 0 : ORDER.indexOf(last) + 1
  expect(walk.steps).toEqual([...ORDER.slice(0, until), ...more, 'write outcome'])
  expect(codeOf(walk)).toBe(code)
  expect(corridor.calls).toEqual(others)
  const rows = await corridor.rowsOf(walk)
  expect(rows.map(({ kind }) => kind)).toEqual(hasIntent ? ['intent', 'outcome'] : ['call'])
  const { verdict, outcome, code: written, attempts } = rows.at(-1) ?? {}
  expect([verdict, outcome, attempts]).toEqual(row)
  expect(written).toBe(walk.outcome === undefined || code === 'cancelled' ? '' : String(code))
}

function codeOf({ outcome }: Walk): unknown {
  if (outcome?.kind === 'refused') return outcome.refusal.code
  if (outcome?.kind === 'error') return outcome.error.code
  return outcome?.kind ?? 'fault'
}
