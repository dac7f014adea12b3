import { expect, it } from 'vitest'
import { unknownTool } from './refusals.ts'

it('names the tool as it was typed, and of what is no name only the beginning', () => {
  expect(unknownTool('notes:get').message).toContain('"notes:get"')
  const { message, tool } = unknownTool('x'.repeat(3_000_000))
  expect([message.length < 1000, tool.length < 1000]).toEqual([true, true])
  expect(tool).toMatch(/^x+…$/)
})
