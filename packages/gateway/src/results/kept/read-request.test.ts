import { expect, it } from 'vitest'
import { createHandle, NO_HANDLE, readRequest } from './page-result.ts'

const handle = createHandle(size => new Uint8Array(size).fill(255))

it('accepts a handle with an optional cursor, limit and part', () => {
  expect(handle).toBe('res______________________w')
  expect(readRequest({ handle })).toEqual({ handle })
  const full = { handle, cursor: '1-0-abcdef', limit: 1, part: '' }
  expect(readRequest(full)).toEqual(full)
})

it('says which argument is wrong and how to fix it', () => {
  for (const wrong of [
    undefined,
    'res_x',
    [],
    {},
    { handle: 5 },
    { handle: `${handle}x` },
    { handle: 'hg_agent_x' },
  ])
    expect(readRequest(wrong)).toBe(NO_HANDLE)
  for (const limit of [0, -1, 1.5, '5', null, Number.POSITIVE_INFINITY])
    expect(readRequest({ handle, limit })).toEqual({
      problem: 'limit',
      text: expect.stringContaining('whole number'),
    })
  expect(readRequest({ handle, cursor: 5 })).toMatchObject({ problem: 'cursor' })
  expect(readRequest({ handle, part: 0 })).toMatchObject({ problem: 'part' })
})
