import { expect, it } from 'vitest'
import { logOf } from '../test-support/log-of.ts'
import { exportCalls } from './list-calls.ts'

const WANTED = { format: 'jsonl', text: 'rare', version: '1' } as const

it('exports all matching calls, however far apart they are', async () => {
  const { audit } = logOf(5000, 2000)
  const lines = (await exportCalls(audit, {}, WANTED).text()).trim().split('\n')
  expect(lines.map(line => (JSON.parse(line) as { request: string }).request)).toEqual(['4000', '2000'])
})

it('ends with an empty export when nothing matches', async () => {
  const { audit } = logOf(5000, 5001)
  expect(await exportCalls(audit, {}, WANTED).text()).toBe('')
})

it('stops reading the log when the download is cancelled', async () => {
  const log = logOf(100_000, 100_001)
  const reader = exportCalls(log.audit, {}, WANTED).body?.getReader()
  const reading = reader?.read()
  await reader?.cancel()
  expect(await reading).toMatchObject({ done: true })
  expect(log.queries()).toBeLessThan(10)
})
