import { COST } from './effort.ts'
import type { Reading } from './reading.ts'

const PART = String.raw`(?:0x[\da-f]{0,200}|\d{1,200})`
/** One to four numbers with dots between them. Not from inside a word or a longer row of numbers. */
const NUMBERS = new RegExp(String.raw`(?<![\w.])${PART}(?:\.${PART}){0,3}(?!\.?\w)`, 'gi')
const BRACKETS = /\[[\da-f:.]{2,45}\]/gi
/** What an IPv6 address is that stands for one of the older kind. */
const MAPPED = /^\[::(?:ffff:)?([\da-f]{1,4}):([\da-f]{1,4})\]$/

/** Behind this a host begins, however few slashes there are. */
const BEFORE_HOST = /(?:[/\\]{2}|@|\b(?:https?|wss?|ftp):[/\\]?)$/i
const LONGEST_BEFORE = 8

interface Written {
  readonly text: string
  /** Whether it is a link or a host, so that every number is one, too. */
  readonly isHost: boolean
}

/**
 * The IPv4 addresses that stand in a text, as four numbers, in every spelling that programs take for one.
 *
 * @example
 * scanIpAddresses({ text: 'http://0x7f.1/', isHost: true }, reading) // ['127.0.0.1']
 */
export function scanIpAddresses(written: Written, reading: Reading): readonly string[] {
  const text = reading.plain(written.text)
  const found = new Set<string>()
  for (const pattern of [NUMBERS, BRACKETS])
    for (const { 0: one, index } of text.matchAll(pattern)) {
      // One by one: a text may have a million of them.
      if (!reading.spend(COST.item)) return []
      if (!written.isHost && isAnyNumber(one) && !isHostAt(text, index)) continue
      const address = readIpAddress(one)
      if (address !== undefined) found.add(address)
    }
  return Array.from(found)
}

/** `0` is 0.0.0.0, and `10.1` is 10.0.0.1; but mostly they are a place in a list and a price. */
function isAnyNumber(written: string): boolean {
  const numbers = written.split('.')
  return numbers.length < 4 && readNumber(numbers.at(-1) ?? '') < 256
}

function isHostAt(text: string, at: number): boolean {
  return BEFORE_HOST.test(text.slice(Math.max(0, at - LONGEST_BEFORE), at))
}

/** One of them. Undefined: it is none. */
export function readIpAddress(written: string): string | undefined {
  if (written.startsWith('[')) return readMapped(written)
  const numbers = written.replace(/\.$/, '').split('.').map(readNumber)
  const last = numbers.pop() ?? Number.NaN
  // The last number fills what the others leave: 127.1 is 127.0.0.1.
  const room = 256 ** (4 - numbers.length)
  if (!(last < room) || !numbers.every(number => number < 256)) return undefined
  const whole = numbers.reduce((sum, number, at) => sum + number * 256 ** (3 - at), last)
  return [24, 16, 8, 0].map(bits => Math.floor(whole / 2 ** bits) % 256).join('.')
}

/** With `0x` before it of sixteen, with `0` of eight. */
function readNumber(text: string): number {
  if (/^0x[\da-f]*$/i.test(text)) return Number(text.length === 2 ? 0 : text)
  if (/^0[0-7]+$/.test(text)) return Number.parseInt(text, 8)
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}

function readMapped(written: string): string | undefined {
  if (!URL.canParse(`http://${written}`)) return undefined
  const [, high, low] = MAPPED.exec(new URL(`http://${written}`).hostname) ?? []
  if (high === undefined || low === undefined) return undefined
  return readIpAddress(String(Number.parseInt(high, 16) * 65_536 + Number.parseInt(low, 16)))
}
