import { expect, it } from 'vitest'
import { createProgressLine } from './progress-line.ts'

function watch(isTTY: boolean) {
  const written: string[] = []
  const line = createProgressLine({ isTTY, write: text => written.push(text) })
  const report = (params: Readonly<Record<string, unknown>>, method = 'notifications/progress'): void =>
    line.onNotification?.({ jsonrpc: '2.0', method, params })
  return { line, written, report }
}

it('progress is one line of a terminal, which is gone in the end', () => {
  const { line, written, report } = watch(true)
  report({ progress: 1, total: 3, message: 'one\u001B[2J' })
  report({ progress: 2 })
  report({ level: 'info' }, 'notifications/message')
  line.clear()
  expect(written).toEqual(['\r\u001B[K1/3 one\\u{1b}[2J', '\r\u001B[K2', '\r\u001B[K'])
})

it('progress is not asked for where nobody looks, and a call without any leaves no trace', () => {
  expect(watch(false).line.onNotification).toBeUndefined()
  const { line, written } = watch(true)
  line.clear()
  expect(written).toEqual([])
})
