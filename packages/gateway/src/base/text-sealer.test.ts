import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { TextSealer } from './text-sealer.ts'

it('TextSealer opens what it sealed, and rejects text with one character changed', () => {
  const sealer = new TextSealer(randomBytes(32), 'test')
  const sealed = sealer.seal('a state')
  expect(sealer.open(sealed)).toBe('a state')
  const changed = [`${sealed}x`, `${sealed}=`, ` ${sealed}`, `${sealed.slice(0, 9)}!${sealed.slice(9)}`]
  for (const text of changed) expect(sealer.open(text), text).toBeUndefined()
})
