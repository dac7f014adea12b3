import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import type { Principal } from '../scope/scope.ts'
import { Shares } from './shares.ts'
import { Unread } from './unread.ts'

const MB = 1_000_000
const principal = { id: 'agent:a' } as Principal
const respond = () => new ServerResponse(new IncomingMessage(new Socket()))

it('counts answers until their connection closes, and none for who has hung up before', () => {
  const shares = new Shares()
  const unread = new Unread({ unreadBytes: 10 * MB, unreadBytesPerPrincipal: 3 * MB }, shares)
  const gone = respond().destroy()
  for (let time = 0; time < 9; time += 1)
    expect(unread.add({ res: gone, principal, bytes: 2 * MB })).toBeUndefined()
  const res = respond()
  expect(unread.add({ res, principal, bytes: 2 * MB })).toBeUndefined()
  expect(unread.add({ res: respond(), principal, bytes: 2 * MB })).toMatchObject({
    data: { code: 'overloaded' },
  })
  res.emit('close')
  expect(unread.add({ res: respond(), principal, bytes: 2 * MB })).toBeUndefined()
})
