import { expect, it } from 'vitest'
import { readBearer } from './token-format.ts'

it('reads the token after Bearer, and rejects anything similar', () => {
  for (const header of ['Bearer hg_x', 'bearer hg_x', 'BEARER   hg_x  '])
    expect(readBearer(header)).toBe('hg_x')
  const others = [
    undefined,
    '',
    'Bearer',
    'Bearer ',
    'Basic hg_x',
    'hg_x',
    'Bearer a b',
    ' Bearer hg_x',
    'Bearer\thg_x',
  ]
  for (const header of others) expect(readBearer(header), String(header)).toBeUndefined()
})
