import { describe, expect, it } from 'vitest'
import { showText } from '../show/review-text.ts'
import { createProgressLine, showResult } from './run-call.ts'

function watch(isTTY: boolean) {
  const written: string[] = []
  const line = createProgressLine({ isTTY, write: text => written.push(text) })
  const report = (params: Readonly<Record<string, unknown>>, method = 'notifications/progress'): void =>
    line.onNotification?.({ jsonrpc: '2.0', method, params })
  return { line, written, report }
}

it('shows progress on one line and clears it at the end', () => {
  const { line, written, report } = watch(true)
  report({ progress: 1, total: 3, message: 'one\u001B[2J' })
  report({ progress: 2 })
  report({ level: 'info' }, 'notifications/message')
  line.clear()
  expect(written).toEqual(['\r\u001B[K1/3 one\\u{1b}[2J', '\r\u001B[K2', '\r\u001B[K'])
})

it('asks for progress only on a terminal, and clears nothing if no progress arrived', () => {
  expect(watch(false).line.onNotification).toBeUndefined()
  const { line, written } = watch(true)
  line.clear()
  expect(written).toEqual([])
})

const asItIs = (text: string): string => text
const base64 = (bytes: number): string => Buffer.alloc(bytes).toString('base64')

describe('the result of a call', () => {
  it('prints each text block on its own lines', () => {
    const content = [
      { type: 'text', text: 'one\ntwo\n' },
      { type: 'text', text: 'three' },
      { type: 'resource', resource: { uri: 'file:///a', text: 'four' } },
    ]
    expect(showResult({ content, structuredContent: { a: 1 } }, asItIs)).toBe('one\ntwo\nthree\nfour\n')
  })

  it('shows the kind and size of other content', () => {
    const content = [
      { type: 'image', mimeType: 'image/png', data: base64(12 * 1024) },
      { type: 'audio', mimeType: 'audio/wav', data: base64(3 * 1024 * 1024) },
      { type: 'resource', resource: { uri: 'file:///b', mimeType: 'font/woff', blob: base64(100) } },
      { type: 'resource_link', uri: 'file:///c' },
      { type: 'novelty' },
      'nothing',
    ]
    expect(showResult({ content }, asItIs).split('\n')).toEqual([
      '[image/png, 12 KB]',
      '[audio/wav, 3.0 MB]',
      '[font/woff, 100 B]',
      '[resource_link, file:///c]',
      '[novelty]',
      '[invalid content]',
      '',
    ])
  })

  it('prints the structured content if there are no blocks', () => {
    expect(showResult({ content: [], structuredContent: { a: [1] } }, asItIs)).toBe(
      '{\n  "a": [\n    1\n  ]\n}\n',
    )
    expect(showResult({ content: [] }, asItIs)).toBe('')
  })

  it('escapes control characters', () => {
    const text = 'first\r\n\tsecond \u001B]0;title\u0007\u202E'
    const content = [
      { type: 'text', text },
      { type: 'image', mimeType: '\u001B[2J', data: '' },
    ]
    expect(showResult({ content }, showText)).toBe(
      'first\n\tsecond \\u{1b}]0;title\\u{7}\\u{202e}\n[\\u{1b}[2J, 0 B]\n',
    )
  })

  it('does not cut long lines', () => {
    const text = '\u200B'.repeat(5000)
    expect(showText(text)).toBe('\\u{200b}'.repeat(5000))
    expect(showText('x'.repeat(100_000))).toHaveLength(100_000)
  })
})
