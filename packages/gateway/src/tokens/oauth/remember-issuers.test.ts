import { expect, it } from 'vitest'
import { rememberIssuers } from './discover-issuer.ts'

const MINUTE = 60_000

it('asks an issuer only once within a few minutes', async () => {
  let clock = 0
  const asked: string[] = []
  const discover = rememberIssuers(
    () => clock,
    async issuer => {
      asked.push(issuer)
      return { issuer }
    },
  )
  await Promise.all(Array.from({ length: 150 }, () => discover('https://a.example')))
  clock += 4 * MINUTE
  expect(await discover('https://a.example')).toEqual({ issuer: 'https://a.example' })
  expect(await discover('https://b.example')).toEqual({ issuer: 'https://b.example' })
  expect(asked).toEqual(['https://a.example', 'https://b.example'])
  clock += MINUTE
  await discover('https://a.example')
  expect(asked).toHaveLength(3)
})

it('asks an issuer again soon after a failure, but not immediately', async () => {
  let clock = 0
  let asked = 0
  const discover = rememberIssuers(
    () => clock,
    async () => {
      asked += 1
      throw new Error('down')
    },
  )
  for (let time = 0; time < 3; time++) await expect(discover('https://a.example')).rejects.toThrow('down')
  expect(asked).toBe(1)
  clock += 2000
  await expect(discover('https://a.example')).rejects.toThrow('down')
  expect(asked).toBe(2)
})
