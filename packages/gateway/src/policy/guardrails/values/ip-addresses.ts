import { COST } from './effort.ts'
import type { Reading } from './reading.ts'

const PART = String.raw`(?:0x[\da-f]{0,200}|\d{1,200})`
/** Matches one to four numbers separated by dots, except inside a word or a longer sequence of numbers. */
const NUMBERS = new RegExp(String.raw`(?<![\w.])${PART}(?:\.${PART}){0,3}(?!\.?\w)`, 'gi')
const BRACKETS = /\[[\da-f:.]{2,45}\]/gi
/** Matches an IPv6 address that stands for an IPv4 address. */
const MAPPED = /^\[::(?:ffff:)?([\da-f]{1,4}):([\da-f]{1,4})\]$/

/** Matches the end of a text that comes directly before a host name. The number of slashes does not matter. */
const BEFORE_HOST = /(?:[/\\]{2}|@|\b(?:https?|wss?|ftp):[/\\]?)$/i
const LONGEST_BEFORE = 8

interface Written {
  readonly text: string
  /** True if the text is a link or a host, in which every number counts as an address. */
  readonly isHost: boolean
}

/**
 * Returns the IPv4 addresses in a text, in dotted form. Recognises every spelling that programs accept.
 * @example
 * scanIpAddresses({ text: 'http://0x7f.1/', isHost: true }, reading) // ['127.0.0.1']
 */
export function scanIpAddresses(written: Written, reading: Reading): readonly string[] {
  const text = reading.plain(written.text)
  const found = new Set<string>()
  for (const pattern of [NUMBERS, BRACKETS])
    for (const { 0: one, index } of text.matchAll(pattern)) {
      // The cost is spent match by match, because a text can contain a million matches.
      if (!reading.spend(COST.item)) return []
      if (!written.isHost && isAnyNumber(one) && !isHostAt(text, index)) continue
      const address = readIpAddress(one)
      if (address !== undefined) found.add(address)
    }
  return Array.from(found)
}

/**
 * Whether a number is too short to count as an address in plain text. `0` could mean 0.0.0.0 and `10.1` could mean
 * 10.0.0.1, but usually they are an index and a price.
 */
function isAnyNumber(written: string): boolean {
  const numbers = written.split('.')
  return numbers.length < 4 && readNumber(numbers.at(-1) ?? '') < 256
}

function isHostAt(text: string, at: number): boolean {
  return BEFORE_HOST.test(text.slice(Math.max(0, at - LONGEST_BEFORE), at))
}

/** Reads a text that consists of a single address. Returns undefined for any other text. */
export function readIpAddress(written: string): string | undefined {
  if (written.startsWith('[')) return readMapped(written)
  const numbers = written.replace(/\.$/, '').split('.').map(readNumber)
  const last = numbers.pop() ?? Number.NaN
  // The last number fills all remaining bytes: 127.1 means 127.0.0.1.
  const size = 256 ** (4 - numbers.length)
  if (!(last < size) || !numbers.every(number => number < 256)) return undefined
  const whole = numbers.reduce((sum, number, at) => sum + number * 256 ** (3 - at), last)
  return [24, 16, 8, 0].map(bits => Math.floor(whole / 2 ** bits) % 256).join('.')
}

/** Reads a number as hexadecimal after `0x`, as octal after a leading `0`, and otherwise as decimal. */
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
