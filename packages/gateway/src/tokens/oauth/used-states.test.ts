import { expect, it } from 'vitest'
import { UsedStates } from './oidc-flow.ts'

it('accepts a state only once', () => {
  const states = new UsedStates(() => 0)
  expect([states.use('a', 10), states.use('a', 10), states.use('b', 10)]).toEqual([true, false, true])
})

it('forgets expired states, and keeps at most a few thousand', () => {
  let now = 0
  const states = new UsedStates(() => now)
  states.use('a', 10)
  now = 10
  states.use('b', 20)
  expect(states.use('a', 20)).toBe(true)
  for (let count = 0; count < 10_000; count++) states.use(String(count), 20)
  expect(states.use('a', 20)).toBe(true)
  expect(states.use('9999', 20)).toBe(false)
})
