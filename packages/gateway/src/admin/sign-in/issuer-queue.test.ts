import { expect, it } from 'vitest'
import { IssuerQueue, networkOf } from './oidc-sign-in.ts'

const from = (address?: string) => ({ address, onGone: () => {} })
const wrong = async (): Promise<undefined> => undefined
const right = async () => 'ada'

it('allows ten wrong answers a minute from one address, whatever other addresses send', async () => {
  const issuerQueue = new IssuerQueue()
  const answers = await Promise.all(Array.from({ length: 11 }, () => issuerQueue.ask(from('a'), wrong)))
  expect(answers.filter(answer => 'refused' in answer)).toHaveLength(1)
  expect(await issuerQueue.ask(from('a'), right)).toMatchObject({
    refused: expect.stringContaining('seconds'),
  })
  expect(await issuerQueue.ask(from('b'), right)).toEqual({ said: 'ada' })
})

it('counts all addresses of one network together', async () => {
  const issuerQueue = new IssuerQueue()
  const answers = await Promise.all(
    Array.from({ length: 11 }, (_, at) => issuerQueue.ask(from(`2001:db8::${at + 1}`), wrong)),
  )
  expect(answers.filter(answer => 'refused' in answer)).toHaveLength(1)
  expect(await issuerQueue.ask(from('2001:db8:0:1::1'), right)).toEqual({ said: 'ada' })
})

it('keeps one network from filling the queue for others', async () => {
  const issuerQueue = new IssuerQueue()
  let answer = (_: undefined): void => {}
  const slow = new Promise<undefined>(resolve => {
    answer = resolve
  })
  const held = Array.from({ length: 1100 }, (_, at) =>
    issuerQueue.ask(from(`2001:db8::${(at + 1).toString(16)}`), () => slow),
  )
  expect(await issuerQueue.ask(from('192.0.2.7'), right)).toEqual({ said: 'ada' })
  answer(undefined)
  await Promise.all(held)
})

it('does not count successful sign-ins', async () => {
  const issuerQueue = new IssuerQueue()
  for (let count = 0; count < 30; count++) await issuerQueue.ask(from('a'), right)
  expect(await issuerQueue.ask(from('a'), right)).toEqual({ said: 'ada' })
})

it('refuses no client for the failures of others when all share an address', async () => {
  const issuerQueue = new IssuerQueue()
  await Promise.all(Array.from({ length: 500 }, () => issuerQueue.ask(from(), wrong)))
  expect(await issuerQueue.ask(from(), right)).toEqual({ said: 'ada' })
})

it('sends the issuer only a few requests at the same time, even if they fail', async () => {
  const issuerQueue = new IssuerQueue()
  let [running, most] = [0, 0]
  const ask = async (): Promise<undefined> => {
    running += 1
    most = Math.max(most, running)
    await new Promise(setImmediate)
    running -= 1
    throw new Error('no issuer there')
  }
  const addresses = Array.from({ length: 50 }, (_, at) => String(at % 10))
  await Promise.allSettled(addresses.map(address => issuerQueue.ask(from(address), ask)))
  expect(most).toBe(4)
  expect(await issuerQueue.ask(from('z'), right)).toEqual({ said: 'ada' })
})

it('drops the request of a disconnected client, and takes addresses in turn', async () => {
  const issuerQueue = new IssuerQueue()
  let answer = (_: undefined): void => {}
  const slow = new Promise<undefined>(resolve => {
    answer = resolve
  })
  const held = Array.from({ length: 5 }, () => issuerQueue.ask(from('a'), () => slow))
  let leave = (): void => {}
  const onGone = (listener: () => void): void => {
    leave = listener
  }
  const gone = issuerQueue.ask({ address: 'a', onGone }, () => Promise.reject(new Error('was asked')))
  leave()
  expect(await gone).toHaveProperty('refused')
  expect(await issuerQueue.ask(from('b'), right)).toEqual({ said: 'ada' })
  answer(undefined)
  await Promise.all(held)
})

it('treats all addresses of a /64 as one network', () => {
  for (const address of [
    '2001:db8:0:2::1',
    '2001:DB8::2:0:0:0:9',
    '2001:0db8:0000:0002:1:2:3:4',
    '2001:db8:0:2::1%eth0',
  ])
    expect(networkOf(address), address).toBe('2001:db8:0:2')
  expect(networkOf('2001:db8:0:3::1')).toBe('2001:db8:0:3')
  expect(networkOf('::1')).toBe('0:0:0:0')
})

it('treats every IPv4 address as a network of its own, in any notation', () => {
  for (const address of ['192.0.2.7', '::ffff:192.0.2.7', '']) expect(networkOf(address)).toBe(address)
})
