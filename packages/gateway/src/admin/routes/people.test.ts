import { expect, it } from 'vitest'
import { SignInLimit } from './people.ts'

/** Makes `count` attempts and returns how many were not refused. */
async function attempt(count: number, one: (at: number) => Promise<void>): Promise<number> {
  const attempts = await Promise.allSettled(Array.from({ length: count }, (_, at) => one(at)))
  return attempts.filter(({ status }) => status === 'fulfilled').length
}

it('allows ten wrong attempts a minute from one address, and a hundred from all addresses', async () => {
  const limit = new SignInLimit()
  expect(await attempt(11, () => limit.fail('a'))).toBe(10)
  expect(await attempt(101, at => limit.fail(String(at)))).toBe(90)
})
