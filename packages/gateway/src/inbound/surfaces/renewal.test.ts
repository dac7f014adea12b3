import { expect, it } from 'vitest'
import { Renewal } from './renewal.ts'

/** Records renewals and pauses. Each test ends the pauses itself. */
function watchResources(length = 4_096_000) {
  const pauses: { readonly ms: number; readonly end: () => void }[] = []
  let renewed = 0
  let now = 5000
  const renewal = new Renewal({
    renew: async () => {
      renewed += 1
      return length
    },
    pause: ms =>
      new Promise<void>(resolve => {
        const end = (): void => {
          now += ms
          resolve()
        }
        pauses.push({ ms, end })
      }),
    now: () => now,
  })
  return { renewal, pauses, count: () => renewed }
}

const settle = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

it('renews immediately, and once more for all requests during the pause', async () => {
  const { renewal, pauses, count } = watchResources()
  for (let asked = 0; asked < 100; asked++) renewal.ask()
  expect(count()).toBe(1)
  await settle()
  for (let asked = 0; asked < 100; asked++) renewal.ask()
  expect([count(), pauses.length]).toEqual([1, 1])
  pauses[0]?.end()
  await settle()
  pauses[1]?.end()
  await settle()
  expect(count()).toBe(2)
  renewal.ask()
  expect(count()).toBe(3)
})

it('renews immediately after rare changes, but not for an endless series of them', async () => {
  const { renewal, pauses, count } = watchResources(100)
  for (let asked = 1; asked <= 29; asked++) {
    renewal.ask()
    expect(count()).toBe(asked)
    await settle()
  }
  renewal.ask()
  await settle()
  renewal.ask()
  expect([count(), pauses.length]).toEqual([30, 1])
})

it('pauses longer after a longer renewal', async () => {
  const { renewal, pauses } = watchResources()
  renewal.ask()
  await settle()
  expect(pauses.map(({ ms }) => ms)).toEqual([1100])
})

it('does nothing once it is closed', async () => {
  const { renewal, pauses, count } = watchResources()
  renewal.ask()
  await settle()
  renewal.ask()
  renewal.close()
  pauses[0]?.end()
  await settle()
  expect(count()).toBe(1)
})
