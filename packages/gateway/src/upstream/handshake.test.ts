import { expect, it, vi } from 'vitest'
import { META, MODERN_VERSION } from '../protocol/modern.ts'
import type { Connection } from './connection/connection.ts'
import type { Handshake } from './connection/upstream-request.ts'
import { shakeHands } from './handshake.ts'

const SHORT = 'x'.repeat(256 * 1024)
const LONG = `${SHORT}x`

/** Returns what the server says about itself in the handshake. */
function greet(era: Handshake['era'], title: string, instructions: string): Promise<Handshake> {
  const serverInfo = { name: 's', version: '1', title }
  const result = {
    modern: { supportedVersions: [MODERN_VERSION], _meta: { [META.serverInfo]: serverInfo }, instructions },
    legacy: { protocolVersion: '2025-11-25', serverInfo, instructions },
  }[era]
  const reply = Promise.resolve({ kind: 'answer', message: { result } })
  const connection = { send: () => ({ reply }), notify: () => {}, listen: () => {} }
  return shakeHands(connection as unknown as Connection, {
    clientInfo: { name: 'c', version: '1' },
    capabilities: {},
    remembered: era,
    probeTimeoutMs: 1000,
    timeoutMs: 1000,
  })
}

it.each(['modern', 'legacy'] as const)('leaves out descriptions that are too long: %s', async era => {
  const short = await greet(era, 'S', SHORT)
  expect(short).toMatchObject({ serverInfo: { title: 'S' }, instructions: SHORT })
  expect(short).not.toHaveProperty('leftOut')
  const long = await greet(era, LONG, LONG)
  expect(long.serverInfo).toBe(undefined)
  expect(long).not.toHaveProperty('instructions')
  expect(long.leftOut).toEqual(['serverInfo', 'instructions'])
})

it('keeps the first era of a server that answers both handshakes', async () => {
  const answers = new Map<string, (reply: object) => void>()
  const notify = vi.fn()
  const connection: Pick<Connection, 'handshake' | 'notify'> & Record<string, unknown> = {
    handshake: undefined,
    send: ({ method }: { method: string }) => ({
      reply: new Promise<object>(resolve => answers.set(method, resolve)),
    }),
    notify,
    listen: vi.fn(),
  }
  const shaking = shakeHands(connection as unknown as Connection, {
    clientInfo: { name: 'c', version: '1' },
    capabilities: {},
    remembered: undefined,
    probeTimeoutMs: 1,
    timeoutMs: 1000,
  })
  const say = (method: string, result: object) =>
    answers.get(method)?.({ kind: 'answer', message: { result } })
  await expect.poll(() => answers.has('initialize')).toBe(true)
  say('server/discover', { supportedVersions: [MODERN_VERSION] })
  expect(await shaking).toMatchObject({ era: 'modern' })
  say('initialize', { protocolVersion: '2025-11-25' })
  await new Promise(setImmediate)
  expect(connection.handshake).toMatchObject({ era: 'modern' })
  expect(notify).not.toHaveBeenCalled()
})
