import { expect, it } from 'vitest'
import { unknownTool } from './refusals.ts'

it('names the tool as the caller typed it, and only the beginning of a text that is too long', () => {
  expect(unknownTool('notes:get').message).toContain('"notes:get"')
  const { message, tool } = unknownTool('x'.repeat(3_000_000))
  expect([message.length < 1000, tool.length < 1000]).toEqual([true, true])
  expect(tool).toMatch(/^x+…$/)
})
