import { describe, expect, it } from 'vitest'
import { StderrTail } from './stderr-tail.ts'

const plain = (text: string): string => text

describe('the tail of standard error', () => {
  it('has the last lines, even if they came in parts', () => {
    const words = new StderrTail(plain)
    words.add(Buffer.from('one\ntw'))
    words.add(Buffer.from('o\r\n\nthree'))
    expect(words.lines).toEqual(['one', 'two', 'three'])
    words.add(Buffer.from(`\n${Array.from({ length: 50 }, (_, at) => `line ${at}`).join('\n')}\n`))
    expect(words.lines).toHaveLength(20)
    expect(words.lines.at(-1)).toBe('line 49')
  })

  it('is masked on reading, not before', () => {
    let looks = 0
    const words = new StderrTail(text => {
      looks += 1
      return text.replaceAll('secret', '…')
    })
    for (let at = 0; at < 1000; at++) words.add(Buffer.from(`a secret ${at}\n`.repeat(100)))
    expect(looks).toBe(0)
    expect(words.lines.at(-1)).toBe('a … 999')
    expect(looks).toBe(20)
  })

  it('never begins in the middle of a line, and has a limited length', () => {
    const words = new StderrTail(plain)
    words.add(Buffer.from(`secret=${'x'.repeat(40_000)}`))
    expect(words.lines).toEqual([])
    words.add(Buffer.from(`\nok\n${'y'.repeat(10_000)}`))
    expect(words.lines).toEqual(['ok', 'y'.repeat(4096)])
    const flooded = new StderrTail(plain)
    flooded.add(Buffer.from('tail of a sec'))
    flooded.add(Buffer.from(`ret\n${'z\n'.repeat(30_000)}`))
    expect(flooded.lines.every(line => line === 'z')).toBe(true)
  })
})
