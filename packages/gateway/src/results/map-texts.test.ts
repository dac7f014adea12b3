import { describe, expect, it } from 'vitest'
import { mapTexts } from './map-texts.ts'

const WORDS = 'These are words that somebody may read. '.repeat(4)
const PNG = Buffer.concat([
  Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  Buffer.from(WORDS.repeat(3)),
]).toString('base64')
/** Returns pseudo-random bytes, which look like compressed data and are the same every time. */
function randomBytesOf(length: number): Buffer {
  let state = 7
  return Buffer.from(
    Array.from({ length }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
      return state >>> 24
    }),
  )
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

function shownOf(value: unknown): readonly string[] {
  const shown: string[] = []
  const change = (text: string) => {
    shown.push(text)
    return text
  }
  expect(mapTexts(value, { change, isDone: () => false })).toBe(value)
  return shown
}

function shout<T>(value: T): T {
  return mapTexts(value, { change: text => text.replace('words', 'WORDS'), isDone: () => false })
}

describe('base64 values', () => {
  it.each([
    { type: 'image', mimeType: 'image/png', data: WORDS },
    { type: 'image', data: { text: WORDS } },
    { type: 'audio', data: [WORDS] },
    { blob: WORDS },
    { blob: { text: WORDS } },
    { mimeType: 'text/plain', blob: WORDS },
  ])('are read as written when they are not base64: %j', value => {
    expect(shownOf(value)).toContain(WORDS)
  })

  it('are not decoded when they are not base64, whatever their type', () => {
    const plain = { blob: 'plain letters', mimeType: 'text/plain' }
    expect(shownOf(plain)).toContain('plain letters')
    expect(shout(plain)).toEqual(plain)
  })

  it.each([
    { blob: base64(WORDS) },
    { mimeType: 'application/octet-stream', blob: base64(WORDS) },
    { mimeType: 'image/png', blob: base64(WORDS) },
    { type: 'image', mimeType: 'image/png', data: base64(WORDS) },
    { type: 'image', mimeType: 'image/svg+xml', data: base64(WORDS) },
    { type: 'audio', data: base64(WORDS) },
    { blob: base64(WORDS).replace(/=*$/, '') },
    { mimeType: 'text/plain', blob: base64(WORDS).replaceAll(/.{76}/g, '$&\r\n') },
    { mimeType: 'text/plain', blob: `${base64(WORDS)}\n` },
    { mimeType: 'text/plain', blob: base64(WORDS).replaceAll(/.{7}/g, '$& ') },
    { BLOB: base64(WORDS) },
    { 'bl\u200Bob': base64(WORDS) },
    { type: 'im\u200Bage', data: base64(WORDS) },
    { 'ty\u200Bpe': 'Audio', 'da\u200Bta': base64(WORDS) },
    { type: 'text', Type: 'image', data: base64(WORDS) },
  ])('are decoded when they contain text: %j', value => {
    expect(shownOf(value)).toContain(WORDS)
    expect(JSON.stringify(shout(value))).toContain(base64(WORDS.replace('words', 'WORDS')))
  })

  it('are decoded in any script, even when the checked head ends within a character', () => {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const text = before + '日本語のテキスト😀'.repeat(9)
      expect(shownOf({ blob: base64(text) })).toContain(text)
    }
  })

  it('are decoded when their beginning is binary but they are declared as text', () => {
    const text = `\u0000${'\u0001'.repeat(60)}${WORDS}`
    expect(shownOf({ mimeType: 'text/plain', blob: base64(text).replace(/=*$/, '') })).toContain(text)
  })

  it('are decoded with control characters in the text', () => {
    const text = WORDS.replaceAll(/.{3}/g, '$&\u0001')
    expect(shownOf({ blob: base64(text) })).toContain(text)
  })

  it.each([
    ['a leading zero', `\0${WORDS}`],
    ['leading control characters', `${'\u0001'.repeat(300)}${WORDS}`],
    ['zeros in its head', `words.txt${'\0'.repeat(16)}${WORDS}`],
  ])('are decoded with %s', (_what, text) => {
    expect(shownOf({ blob: base64(text) })).toContain(text)
    expect(shownOf({ type: 'image', data: base64(text) })).toContain(text)
  })

  it('are decoded with an invalid byte in the text', () => {
    const late = Buffer.concat([Buffer.from(WORDS), Buffer.from([0xff])]).toString('base64')
    expect(shownOf({ blob: late })).toContain(`${WORDS}\uDCFF`)
  })

  it('are decoded when invalid base64 precedes the text', () => {
    expect(shownOf({ blob: `${'\n'.repeat(100)}${base64(WORDS)}` })).toContain(WORDS)
  })

  const odd = (...parts: (string | readonly number[])[]) =>
    Buffer.concat(parts.map(part => (typeof part === 'string' ? Buffer.from(part) : Buffer.from(part))))
  const noise = (length: number): readonly number[] => [...randomBytesOf(length)]

  it.each([
    ['after an invalid byte', odd([0xe9], WORDS)],
    ['before many invalid bytes', odd(WORDS, Array<number>(160).fill(0xff))],
    ['between very many invalid bytes', odd(noise(3000), WORDS, noise(5000))],
    ['in an archive', odd(`words.txt${'\0'.repeat(91)}`, WORDS, '\0'.repeat(300))],
  ])('are decoded in their readable part: %s', (_what, bytes) => {
    for (const said of [{}, { mimeType: 'application/toml' }, { mimeType: 'application/x-sh' }]) {
      const value = { ...said, blob: bytes.toString('base64') }
      expect(shownOf(value).join('\n')).toContain(WORDS.trim())
      const changed = Buffer.from(shout(value).blob, 'base64')
      const at = bytes.indexOf('words that')
      expect(changed).toEqual(odd([...bytes.subarray(0, at)], 'WORDS', [...bytes.subarray(at + 5)]))
    }
  })

  it('are decoded when their type has blanks around it', () => {
    expect(shownOf({ mimeType: ' text/plain', blob: PNG }).join('')).toContain(WORDS)
  })

  it('are left unchanged for an image, a sound or an archive', () => {
    const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')
    const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n%âãÏÓ\n', 'latin1'), Buffer.from(WORDS)])
    for (const data of [
      PNG,
      Buffer.concat([gif, gif]).toString('base64'),
      Buffer.alloc(300, 7).toString('base64'),
      pdf.toString('base64'),
      randomBytesOf(10_000).toString('base64'),
    ])
      expect(shownOf([{ type: 'image', data }, { blob: data }])).toEqual(['image', 'type', 'data', 'blob'])
  })

  it('are read as written when short, because a key can look like base64', () => {
    expect(shownOf({ type: 'image', data: '4111111111111111' })).toContain('4111111111111111')
  })

  it('are not decoded after the search limit is reached', () => {
    for (const most of [0, 1]) {
      const shown: string[] = []
      const change = (text: string) => {
        shown.push(text)
        return text
      }
      mapTexts({ blob: base64('words') }, { change, isDone: () => shown.length >= most })
      expect(shown).toEqual(most === 0 ? [] : [base64('words'), 'blob'])
    }
  })
})

it('are decoded when the type is not a string', () => {
  const odd = { type: { toString: 0 }, data: WORDS }
  expect(shownOf(odd)).toContain(WORDS)
})

describe('an object with very many members', () => {
  /** Returns members each of which could be read as `blob`. */
  const membersOf = (count: number) =>
    Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`blob${String.fromCharCode(0x4e00 + at)}`, 'x']),
    )

  function counted(object: Record<string, string>) {
    const count = { reads: 0 }
    const get = (target: Record<string, string>, key: string): unknown => {
      count.reads += 1
      return target[key]
    }
    return { count, object: new Proxy(object, { get }) }
  }

  it('has each member read only a few times, even if all of them could be bytes', () => {
    for (const members of [membersOf(2000), { ...membersOf(2000), type: 'image', data: 'x' }]) {
      const { count, object } = counted(members)
      mapTexts([object], { change: text => text, isDone: () => false })
      expect(count.reads).toBeLessThan(10 * 2000)
    }
  })

  it('has its names read only up to the limit', () => {
    const { count, object } = counted(membersOf(2000))
    let left = 100
    const spend = (chars: number) => {
      left -= chars
    }
    mapTexts([object], { change: text => text, isDone: () => left <= 0, spend })
    expect(left).toBeLessThanOrEqual(0)
    expect(count.reads).toBeLessThan(2 * 2000 + 100)
  })
})

it('reports the objects that it created, and visits only those on request', () => {
  const value = { a: [{ b: 'words' }, { c: 'others' }], d: { e: 'others' }, f: 'text' }
  const made = new Set<object>()
  const changed = mapTexts(value, {
    change: text => text.replace('words', 'WORDS'),
    isDone: () => false,
    made,
  })
  expect(made).toEqual(new Set([changed, changed.a, changed.a[0]]))
  const shown: string[] = []
  const change = (text: string) => {
    shown.push(text)
    return text
  }
  expect(mapTexts(changed, { change, isDone: () => false, only: made })).toBe(changed)
  expect(shown).toEqual(['WORDS', 'b', 'a', 'd', 'text', 'f'])
})
